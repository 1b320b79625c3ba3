import type { RepoId } from '@sluice/core/id';
import {
  FAILURE_WANTED_MS,
  type Inbox,
  type InboxIssue,
  type InboxList,
  type InboxQuery,
  type IssueStatus,
  inboxBounds,
  inboxWants,
  issueBounds,
  issueStatuses,
  issueWire,
  MAX_COUNTED_ISSUES,
  queueReasons,
  type WantedIssue,
} from '@sluice/core/issue';
import * as z from 'zod';
import { idField } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { issueSummaryWire, toIssueSummaryWire } from './issue-summary.wire.ts';

export const inboxIssueWire = issueSummaryWire.extend({ repo_name: z.string() });

export const wantedIssueWire = inboxIssueWire.extend({
  wants: z
    .enum(inboxWants)
    .describe(
      'A decision on a `plan`; on the plan of a `question`, or with open questions; whether to `publish` the change; or help after a `failure`.',
    ),
  since: z.iso.datetime().describe('When the gate was opened, or the issue failed.'),
  holds_up: z
    .object({
      repo: z.int().min(0).describe('How many wait for the repository that it occupies.'),
      slot: z.int().min(0).describe('How many wait for a slot, while it keeps its own.'),
    })
    .describe('How many of your issues wait because of it. A failed issue holds up none.'),
  error: issueWire.shape.error.describe('Why it failed; null at a gate.'),
});

export const queuedIssueWire = inboxIssueWire.extend({
  waits_for: z
    .enum(queueReasons)
    .describe(
      'A free `slot`; the `repo`, which another issue holds; or `own_limit`: your issues hold as many slots as those of one user may.',
    ),
});

const list = <T extends z.ZodType>(item: T, most: number) =>
  z.object({ items: z.array(item).max(most), more: z.boolean().describe('There are more than these.') });

/** An object of names, which generated clients understand better than a record of an enumeration. */
const countsWire = z.object(
  Object.fromEntries(issueStatuses.map((status) => [status, z.int().min(0)])) as Record<IssueStatus, z.ZodInt>,
);

const days = FAILURE_WANTED_MS / 86_400_000;

export const inboxWire = z.object({
  needs_you: list(wantedIssueWire, inboxBounds.needsYou).describe(
    `At a gate that you may decide, or created by you and failed in the last ${days} days and not retried: the one that waits longest first.`,
  ),
  waits_for_others: list(wantedIssueWire, inboxBounds.waitsForOthers).describe(
    'At a gate that others decide: the one that waits longest first.',
  ),
  running: list(inboxIssueWire, inboxBounds.running).describe('The one that started first first.'),
  queued: list(queuedIssueWire, inboxBounds.queued).describe('The next to start first, by `queue_position`.'),
  drafts: list(inboxIssueWire, inboxBounds.drafts).describe('Not started yet: run or edit them. The newest first.'),
  done: list(inboxIssueWire, inboxBounds.done).describe('Ended, the last to end first.'),
  counts: countsWire.describe(
    `How many issues have each status, counted up to ${MAX_COUNTED_ISSUES}. \`q\` does not narrow it.`,
  ),
});

export const readInbox = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/inbox',
      tags: ['issues'],
      summary: 'Read your inbox',
      description:
        'The issues that you may read, by what they mean for you: what needs you, what waits for others, what runs, what is queued, drafts, and what is done. Each is in one list. Longer lists end with `more`: page through `GET /api/issues`.',
    },
  })
  .input(
    z
      .strictObject({
        repo_id: idField.optional().describe('Restricts the answer to one repository.'),
        q: text({ max: issueBounds.titleCharacters, line: true })
          .optional()
          .describe('Part of the title. The first 500 issues of each list are searched.'),
      })
      .optional(),
  )
  .output(inboxWire)
  .query(async ({ ctx, input }) => {
    const query: InboxQuery = {
      caller: ctx.caller,
      ...(input?.repo_id === undefined ? {} : { repoId: input.repo_id as RepoId }),
      ...(input?.q ? { q: input.q } : {}),
    };
    return toInboxWire(await ctx.issues.inbox(query));
  });

function toInboxWire({
  needsYou,
  waitsForOthers,
  running,
  queued,
  drafts,
  done,
  counts,
}: Inbox): z.infer<typeof inboxWire> {
  return {
    needs_you: toList(needsYou, toWantedIssueWire),
    waits_for_others: toList(waitsForOthers, toWantedIssueWire),
    running: toList(running, toInboxIssueWire),
    queued: toList(queued, (one) => ({ ...toInboxIssueWire(one), waits_for: one.waitsFor })),
    drafts: toList(drafts, toInboxIssueWire),
    done: toList(done, toInboxIssueWire),
    counts,
  };
}

function toWantedIssueWire(entry: WantedIssue): z.infer<typeof wantedIssueWire> {
  const { wants, since, holdsUp: holds_up, issue } = entry;
  return { ...toInboxIssueWire(entry), wants, since: since.toISOString(), holds_up, error: issue.error };
}

function toInboxIssueWire({ issue, repoName }: InboxIssue): z.infer<typeof inboxIssueWire> {
  return { ...toIssueSummaryWire(issue), repo_name: repoName };
}

function toList<T, W>({ items, more }: InboxList<T>, toWire: (item: T) => W): { items: W[]; more: boolean } {
  return { items: items.map(toWire), more };
}
