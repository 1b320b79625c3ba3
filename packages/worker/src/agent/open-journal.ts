import type { Journal } from '@sluice/core';
import type { StageRun } from '../stage/stage-run.ts';

/**
 * The journal of this stage's round. Each append is one fenced write; one that is refused throws out of the agent,
 * whose work nobody would see any more.
 */
export async function openJournal(stage: StageRun, onToolResult: () => void = () => undefined): Promise<Journal> {
  const { deps, run, step } = stage;
  const key = { stage: step.stage, round: step.round };
  return {
    entries: await deps.runs.journal(run.issue().id, key),
    async append(entries, events) {
      stage.live.flush();
      await run.write((lease) => deps.runs.appendJournal(lease, key, { entries, events }));
      if (events.some((event) => event.type === 'agent.tool_result')) onToolResult();
    },
  };
}
