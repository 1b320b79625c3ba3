import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import type { AttemptRecord } from '@sluice/core/issue';
import { asc, eq } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';
import { beginAttempt, closeAttempt } from './open-attempt.ts';

type Attempts = Pick<RunStore, 'beginAttempt' | 'failAttempt' | 'attempts' | 'record'>;

const selectSteps = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { steps } = context.database.tables;
  const isOfIssue = eq(steps.issueId, given('issueId', steps.issueId));
  return db.select().from(steps).where(isOfIssue).orderBy(asc(steps.ordinal));
});

/** `RunStore.attempts`, as `on` sees them. */
export async function attemptsOf(on: Handle, issueId: IssueId): Promise<readonly AttemptRecord[]> {
  return (await selectSteps(on, { issueId })).map(toAttemptRecord);
}

/** Attempts of the stages of an issue, and the events between them. */
export function createAttempts(context: StoreContext): Attempts {
  const reading = { context, db: context.database.read };
  return {
    beginAttempt: (lease, next) => write(context, (write) => beginAttempt(write, lease, next)),

    failAttempt: (lease, ended, event) =>
      write(context, async (write) => {
        const issue = await holdIssue(write, lease, { events: 1 });
        if (issue === null) return false;
        await closeAttempt(write, issue.id, ended);
        appendEvents(write, issue, [event]);
        return true;
      }),

    attempts: (issueId) => attemptsOf(reading, issueId),

    record: (lease, events) =>
      write(context, async (write) => {
        const issue = await holdIssue(write, lease, { events: events.length });
        if (issue === null) return null;
        appendEvents(write, issue, events);
        return issue.lastSeq;
      }),
  };
}

function toAttemptRecord(row: Tables['steps']['$inferSelect']): AttemptRecord {
  const { stage, round, attempt, agent, startedAt, finishedAt, inputTokens, outputTokens, costUsd, detail } = row;
  // The price alone may be unknown; a run that was cut off has no counts at all.
  const usage =
    inputTokens === null || outputTokens === null
      ? null
      : { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd };
  return { stage, round, attempt, agent, startedAt, finishedAt, outcome: row.outcome ?? 'running', usage, detail };
}
