import { type AgentRole, addUsage, type Journal } from '@sluice/core';
import type { StageContext } from '../stage/stage-context.ts';
import { journaledUsage } from './stage-usage.ts';

/**
 * The journal of this stage's round. Each append is one fenced write; one that is refused throws out of the agent,
 * whose work nobody would see any more. The store books usage in that same write; here it is only heard of.
 */
export async function openJournal(
  stage: StageContext,
  role: AgentRole,
  onToolResult: () => void = () => undefined,
): Promise<Journal> {
  const { deps, execution, step } = stage;
  const key = { stage: step.stage, round: step.round };
  const entries = await deps.runs.journal(execution.issue().id, key);
  stage.journaled = journaledUsage(entries);
  return {
    entries,
    async append(written) {
      stage.live.flush();
      try {
        await execution.write((lease) => deps.runs.appendJournal(lease, key, written));
      } catch (error) {
        stage.journaled = null; // what failed may stand all the same
        throw error;
      }
      stage.journaled &&= addUsage(stage.journaled, journaledUsage(written.entries));
      const answers = written.entries.filter((entry) => entry.kind === 'usage');
      for (const { usage, model } of answers) {
        execution.booked(usage);
        deps.telemetry.modelAnswered({ userId: execution.issue().userId, role, model, usage });
      }
      if (written.events.some((event) => event.type === 'agent.tool_result')) onToolResult();
      if (answers.length > 0) await stage.budget.warn();
    },
  };
}
