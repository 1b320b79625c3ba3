import type { AgentRole, Journal, JournalWrite } from '@sluice/core/agent';
import { addUsage, endedBefore } from '@sluice/core/pipeline';
import { ExecutionEnded } from '../execution/issue-execution.ts';
import { earlierRounds } from '../stage/earlier-rounds.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { journaledUsage } from './stage-usage.ts';

export type JournalPorts = 'runs' | 'budgets' | 'telemetry' | 'log';

/**
 * Opens the journal of this stage's round. Each append is one fenced write. A refused append throws out of the agent, whose
 * work would be lost anyway. The store books usage in the same write; the execution only repeats the sum in memory.
 */
export async function openJournal(
  stage: StageContext<JournalPorts>,
  role: AgentRole,
  onToolResult: () => void = () => undefined,
): Promise<Journal> {
  const { deps, execution, attempt } = stage;
  const key = { stage: attempt.stage, round: attempt.round };
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
        if (error instanceof ExecutionEnded) await bookLost(stage, usagesIn(written));
        throw error;
      }
      stage.journaled &&= addUsage(stage.journaled, journaledUsage(written.entries));
      const answers = usagesIn(written);
      for (const { usage, model } of answers) {
        execution.booked(usage);
        deps.telemetry.modelAnswered({ userId: execution.issue().userId, role, model, usage });
      }
      if (written.events.some((event) => event.type === 'agent.tool_result')) onToolResult();
      if (answers.length === 0) return;
      await stage.budget.warn();
      await stage.monthly.warn();
    },
  };
}

function usagesIn({ entries }: JournalWrite) {
  return entries.filter((entry) => entry.kind === 'usage');
}

/**
 * Counts calls that no journal records, because the issue is no longer this worker's: they were paid for too. Nothing of the
 * refused write is in the database, so no call counts twice. Where this fails as well, the call is lost to the monthly budgets.
 */
async function bookLost(
  { deps, execution }: StageContext<'budgets' | 'log'>,
  answers: ReturnType<typeof usagesIn>,
): Promise<void> {
  for (const { usage } of answers) {
    await deps.budgets.book(execution.issue(), usage).catch((err: unknown) => {
      deps.log.warn({ err, issueId: execution.issue().id }, 'could not count a call of a model');
    });
  }
}
