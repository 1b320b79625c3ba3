import type { RunStore } from '@sluice/core';
import { and, eq, max } from 'drizzle-orm';
import { appendEvents } from '../issue/append-events.ts';
import { type StoreContext, write } from '../store-context.ts';
import { holdIssue } from './fence.ts';
import { closeStep, interruptSteps } from './steps.ts';

type StageRuns = Pick<RunStore, 'beginStep' | 'failStep' | 'record'>;

/** Stage runs of the issues that a worker drives, and the events in between. */
export function createStageRuns(context: StoreContext): StageRuns {
  const { steps } = context.database.tables;
  return {
    beginStep: (lease, { stage, round, agent }) =>
      write(context, async (write) => {
        const issue = await holdIssue(write, lease, 1);
        if (issue === null) return null;
        await interruptSteps(write, issue.id); // what a dead worker had begun
        const [last] = await write.db
          .select({ attempt: max(steps.attempt) })
          .from(steps)
          .where(and(eq(steps.issueId, issue.id), eq(steps.stage, stage), eq(steps.round, round)));
        const attempt = (last?.attempt ?? 0) + 1;
        const step = { stage, round, attempt, startedAt: write.now };
        await write.db.insert(steps).values({ ...step, issueId: issue.id, agent });
        await appendEvents(write, issue, [{ type: 'stage.started', data: { stage, agent, attempt } }]);
        return step;
      }),

    failStep: (lease, step, event) =>
      write(context, async (write) => {
        const issue = await holdIssue(write, lease, 1);
        if (issue === null) return false;
        await closeStep(write, issue.id, step);
        await appendEvents(write, issue, [event]);
        return true;
      }),

    record: (lease, events) =>
      write(context, async (write) => {
        const issue = await holdIssue(write, lease, events.length);
        if (issue === null) return false;
        await appendEvents(write, issue, events);
        return true;
      }),
  };
}
