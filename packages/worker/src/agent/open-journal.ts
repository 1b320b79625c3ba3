import type { AgentRole, Journal } from '@sluice/core';
import type { StageRun } from '../stage/stage-run.ts';

/**
 * The journal of this stage's round. Each append is one fenced write; one that is refused throws out of the agent,
 * whose work nobody would see any more. The store books usage in that same write; here it is only heard of.
 */
export async function openJournal(
  stage: StageRun,
  role: AgentRole,
  onToolResult: () => void = () => undefined,
): Promise<Journal> {
  const { deps, run, step } = stage;
  const key = { stage: step.stage, round: step.round };
  return {
    entries: await deps.runs.journal(run.issue().id, key),
    async append(written) {
      stage.live.flush();
      await run.write((lease) => deps.runs.appendJournal(lease, key, written));
      const answers = written.entries.filter((entry) => entry.kind === 'usage');
      for (const { usage, model } of answers) {
        run.booked(usage);
        deps.telemetry.modelAnswered({ userId: run.issue().userId, role, model, usage });
      }
      if (written.events.some((event) => event.type === 'agent.tool_result')) onToolResult();
      if (answers.length > 0) await stage.budget.warn();
    },
  };
}
