import { changeRequestStates } from '@sluice/core/code-host';
import { canBeFollowedUp } from '@sluice/core/follow-up';
import type { CodeHostIndex } from '@sluice/core/hosted-issue';
import type { IssueId } from '@sluice/core/id';
import type { EventData, EventType, Issue, NewEvent } from '@sluice/core/issue';
import type { Repo } from '@sluice/core/repo';
import { and, asc, desc, eq, exists, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { appendEvents, inChunks, numberedColumns } from '../event/append-events.ts';
import { originKey } from '../issue/origin-key.ts';
import { selectIssues, toIssue } from '../issue/read-issue.ts';
import { recordPublication } from '../outcome/record-publication.ts';
import { selectRepos, toRepo } from '../repo/read-repo.ts';
import { type StoreContext, write } from '../store/store-context.ts';

const OPEN = changeRequestStates.filter(canBeFollowedUp);
const MAX_OPEN = 200; // of one registration; who has more is shown the newest

/** Issues and repositories by what the code host calls them, on whatever database `context` holds. */
export function createCodeHostIndex(context: StoreContext): CodeHostIndex {
  const { read, tables } = context.database;
  const { repos, issues, events, users, codehostRemovals: removals } = tables;

  async function eventsOf<T extends EventType>(issueId: IssueId, type: T): Promise<EventData<T>[]> {
    const rows = await read
      .select({ data: events.data })
      .from(events)
      .where(and(eq(events.issueId, issueId), eq(events.type, type)))
      .orderBy(asc(events.seq));
    return rows.map(({ data }) => data as EventData<T>);
  }

  /** Adds an event to an issue in any status. Nothing is written where the issue was deleted. */
  async function addEvent(issueId: IssueId, event: NewEvent): Promise<void> {
    await write(context, async (write) => {
      const [issue] = await write.db
        .update(issues)
        .set({ lastSeq: sql`${issues.lastSeq} + 1`, updatedAt: write.now })
        .where(eq(issues.id, issueId))
        .returning(numberedColumns({ issues }));
      if (issue !== undefined) appendEvents(write, issue, [event]);
    });
  }

  return {
    registrations: async (codehostRepoId) => {
      const rows = await selectRepos(read, tables)
        .where(
          and(
            eq(repos.codehostRepoId, codehostRepoId),
            eq(repos.provider, 'codehost'),
            exists(
              read
                .select({ one: sql`1` })
                .from(users)
                .where(and(eq(users.id, repos.userId), isNull(users.disabledAt))),
            ),
          ),
        )
        .orderBy(asc(repos.ordinal));
      return rows.map(toRepo);
    },

    registered: async (userId, codehostRepoIds) => {
      const found = new Map<string, Repo['id']>();
      for (const some of inChunks(codehostRepoIds)) {
        const rows = await read
          .select({ id: repos.id, codehostRepoId: repos.codehostRepoId })
          .from(repos)
          .where(and(eq(repos.userId, userId), inArray(repos.codehostRepoId, some), eq(repos.provider, 'codehost')))
          .orderBy(asc(repos.ordinal));
        for (const { id, codehostRepoId } of rows) {
          // The host may have renamed it between two registrations: the first one counts.
          if (codehostRepoId !== null && !found.has(codehostRepoId)) found.set(codehostRepoId, id);
        }
      }
      return found;
    },

    imported: async (repoId, numbers) => {
      const found = new Map<number, IssueId>();
      for (const some of inChunks(numbers)) {
        const rows = await read
          .select({ id: issues.id, number: issues.codehostNumber })
          .from(issues)
          .where(and(eq(issues.repoId, repoId), inArray(issues.codehostNumber, some)));
        for (const { id, number } of rows) if (number !== null) found.set(number, id);
      }
      return found;
    },

    byChangeRequest: async (repoId, number) => {
      const rows = await selectIssues(context, read)
        .where(and(eq(issues.repoId, repoId), eq(issues.changeRequestNumber, number)))
        .orderBy(asc(issues.ordinal));
      return rows.map(toIssue);
    },

    followUpOf: async (repoId, commentId) => {
      const [row] = await selectIssues(context, read).where(
        and(eq(issues.repoId, repoId), eq(issues.codehostCommentId, commentId)),
      );
      return row === undefined ? null : toIssue(row);
    },

    followUpsOf: async (issueId) => {
      const rows = await selectIssues(context, read)
        .where(eq(issues.parentIssueId, issueId))
        .orderBy(asc(issues.ordinal));
      return rows.map(toIssue);
    },

    openChanges: async (repoId) => {
      const rows = await read
        .select({ issueId: issues.id, number: issues.changeRequestNumber })
        .from(issues)
        .where(
          and(
            eq(issues.repoId, repoId),
            isNotNull(issues.changeRequestNumber),
            inArray(issues.changeRequestState, OPEN),
          ),
        )
        .orderBy(desc(issues.changeRequestNumber), asc(issues.ordinal))
        .limit(MAX_OPEN);
      return rows.flatMap(({ issueId, number }) => (number === null ? [] : [{ issueId, number }]));
    },

    noteBaseMoved: (issueId, moved) =>
      write(context, async (write) => {
        const isIt = eq(issues.id, issueId);
        // Holds the row, so that two processes do not both find nothing.
        await write.db.update(issues).set({ lastSeq: issues.lastSeq }).where(isIt);
        const [last] = await write.db
          .select({ data: events.data })
          .from(events)
          .where(and(eq(events.issueId, issueId), eq(events.type, 'base.moved')))
          .orderBy(desc(events.seq))
          .limit(1);
        if (last !== undefined && 'base_commit' in last.data && last.data.base_commit === moved.base_commit)
          return false;
        const [issue] = await write.db
          .update(issues)
          .set({ lastSeq: sql`${issues.lastSeq} + 1`, updatedAt: write.now })
          .where(isIt)
          .returning(numberedColumns({ issues }));
        if (issue === undefined) return false;
        appendEvents(write, issue, [{ type: 'base.moved', data: moved }]);
        return true;
      }),

    answeredRemarks: async (issueId) => {
      const answered = await eventsOf(issueId, 'remark.answered');
      return new Map(answered.map((data) => [data.remark, data]));
    },

    noteAnsweredRemark: (issueId, data) => addEvent(issueId, { type: 'remark.answered', data }),

    waitingReviews: async (issueId) => {
      const waiting = await eventsOf(issueId, 'review.waits');
      return new Set(waiting.map(({ review }) => review));
    },

    noteWaitingReview: (issueId, data) => addEvent(issueId, { type: 'review.waits', data }),

    wasRemoved: async (repoId, origin) => {
      const rows = await read
        .select({ origin: removals.origin })
        .from(removals)
        .where(and(eq(removals.repoId, repoId), eq(removals.origin, originKey(origin))));
      return rows.length > 0;
    },

    setChangeRequestState: (issueId, state) =>
      write(context, async (write) => {
        const [issue] = await write.db
          .update(issues)
          .set({ changeRequestState: state, lastSeq: sql`${issues.lastSeq} + 1`, updatedAt: write.now })
          .where(
            and(eq(issues.id, issueId), isNotNull(issues.changeRequestNumber), ne(issues.changeRequestState, state)),
          )
          .returning({
            ...numberedColumns({ issues }),
            number: issues.changeRequestNumber,
            result: issues.result,
            pipeline: issues.pipeline,
          });
        if (issue === undefined || issue.number === null) return false;
        const data = { number: issue.number, url: addressOf(issue), state };
        appendEvents(write, issue, [{ type: 'change_request.updated', data }]);
        return true;
      }),

    noteChangeRequest: (issueId, { number, url, state }) =>
      write(context, async (write) => {
        const isToBeNoted = and(
          eq(issues.id, issueId),
          isNotNull(issues.finishedAt),
          isNull(issues.changeRequestNumber),
        );
        const [before] = await write.db.select({ pipeline: issues.pipeline }).from(issues).where(isToBeNoted);
        const publication = before?.pipeline.publication;
        if (before === undefined || publication == null) return false;
        const pipeline = { ...before.pipeline, publication: { ...publication, change_request: { number, url } } };
        const [issue] = await write.db
          .update(issues)
          .set({
            changeRequestNumber: number,
            changeRequestState: state,
            pipeline,
            lastSeq: sql`${issues.lastSeq} + 1`,
            updatedAt: write.now,
          })
          .where(isToBeNoted)
          .returning({ id: issues.id, userId: issues.userId, repoId: issues.repoId, lastSeq: issues.lastSeq });
        if (issue === undefined) return false;
        await recordPublication(write, { ...issue, pipeline }, { number, state });
        appendEvents(write, issue, [{ type: 'change_request.updated', data: { number, url, state } }]);
        return true;
      }),
  };
}

function addressOf({ result, pipeline }: Pick<Issue, 'result' | 'pipeline'>): string {
  const url = pipeline.publication?.change_request?.url ?? result?.change_request_url;
  if (url == null) throw new Error('An issue was published to a pull request whose URL was not stored.');
  return url;
}
