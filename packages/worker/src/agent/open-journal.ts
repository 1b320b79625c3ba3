import { type AgentRole, addUsage, endedBefore, type Journal } from '@sluice/core';
import { earlierRounds } from '../stage/earlier-rounds.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { journaledUsage } from './stage-usage.ts';

export type JournalPorts = 'runs' | 'telemetry';

/**
 * Opens the journal of this stage's round. Each append is one fenced write. A refused append throws out of the agent, whose
 * work would be lost anyway. The store books usage in the same write; the execution only repeats the sum in memory.
 */
export async function openJournal(
  stage: StageContext<JournalPorts>,
  role: AgentRole,
  onToolResult: () => void = () => undefined,
): Promise<Journal> {
  const { deps, execution, step } = stage;
  const key = { stage: step.stage, round: step.round };
  const entries = await deps.runs.journal(execution.issue().id, key);
  const ended = endedBefore(execution.issue().pipeline, key);
  stage.journaled = journaledUsage(entries);
  return {
    entries,
    earlier: await earlierRounds(stage, key, entries),
    lastAttempt: ended === null || ended.keeps === 'nothing' ? null : ended.reason,
    async append(written) {
      stage.live.flush();
      try {
        await execution.write((lease) => deps.runs.appendJournal(lease, key, written));
      } catch (error) {
        stage.journaled = null; // the failed write may have reached the database
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
