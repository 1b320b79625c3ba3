import { authorizeIssue } from '@sluice/core/issue';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import { ISSUE_TOKEN, issueResumeToken } from '../feed/resume-token.ts';
import type { StreamItem } from '../feed/stream-item.ts';
import { credentialOf } from '../identity/session/credential.ts';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { createSubscription } from '../procedure/subscription.ts';

export const watchIssue = scopedProcedure('read')
  .meta({
    sse: {
      path: '/issues/{id}/events',
      tags: ['issues'],
      summary: 'Follow the events of an issue (Server-Sent Events)',
      description:
        'Each stored event has its sequence number as `id`, with a prefix once the installation was restored from a backup. `Last-Event-ID` (or `after`) resumes after it; without it, or with an `id` from before a restore, the whole history comes first. Live text (`agent.delta`, `command.output`) has no `id` and is not sent again. A comment every 15 s keeps the connection open. The stream closes after the event that ends the issue. A client that has seen every event of an ended issue gets 204, which stops a browser from reconnecting.',
      resume: {
        schema: {
          anyOf: [
            { type: 'integer', minimum: 0 },
            { type: 'string', pattern: ISSUE_TOKEN.source },
          ],
        },
        description: 'Send the events after the one with this `id`, or with this sequence number.',
      },
      sends: {
        description:
          'The events. The `data` of each is a `WatchedEvent` as JSON: a stored event, or live text of the same shape without `seq`.',
        schema: 'WatchedEvent',
        example:
          'retry: 2000\n\nid: 2\nevent: issue.status\ndata: {"seq":2,"issue_id":"0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f","type":"issue.status","at":"2026-11-20T09:15:00.000Z","data":{"from":"pending","to":"running","stage":"prepare","queue_position":null}}\n\nevent: agent.delta\ndata: {"issue_id":"0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f","type":"agent.delta","at":"2026-11-20T09:15:07.310Z","data":{"agent":"planner","text":"The sum"}}\n\n',
      },
      end: 'The issue has ended and the client has seen all of its events.',
    },
  })
  .input(
    z.strictObject({ id: resourceId, after: issueResumeToken.optional(), lastEventId: issueResumeToken.optional() }),
  )
  // An async function that returns the iterable, not a generator, so that a refusal comes before the first byte.
  .subscription(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'read');
    const after = await ctx.issueFeed.knownSeq(issue, input);
    const reader = { ...credentialOf(ctx.actor), caller: ctx.caller, gone: ctx.signal, hangUp: ctx.hangUp };
    return createSubscription(ctx.issueFeed.followIssue(issue, after, reader), toEnvelope);
  });

/** Rows are tracked, so that tRPC resumes after them; both kinds reach a client as `data`. */
function toEnvelope({ id, event }: StreamItem) {
  return id === null ? { data: event } : tracked(id, event);
}
