import { authorizeIssue, liveEventCatalog } from '@sluice/core';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import { toTrpcError } from '../error/to-trpc-error.ts';
import { type DirectWay, type EventSink, followIssue, hasSeenAll, type StreamedEvent } from '../feed/follow-issue.ts';
import { queryInteger } from '../input/query-integer.ts';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';

const sequence = queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional();

/** For the document. */
const liveText = {
  type: 'object',
  properties: {
    issue_id: { type: 'string', format: 'uuid' },
    type: { type: 'string', enum: Object.keys(liveEventCatalog) },
    at: { type: 'string', format: 'date-time' },
    data: { type: 'object' },
  },
  required: ['issue_id', 'type', 'at', 'data'],
};

/** The stream of a reader who has seen all of an issue that has ended. Over REST it is a 204. */
export const nothingToCome: AsyncIterable<never> = { async *[Symbol.asyncIterator]() {} };

export const watchEvents = userProcedure
  .meta({
    sse: {
      path: '/issues/{id}/events',
      tags: ['issues'],
      summary: 'Follow an issue as it happens (Server-Sent Events)',
      description:
        'Every written event carries its sequence number as `id`; `Last-Event-ID` (or `after`) resumes after it, without it the whole history comes first. Live text (`agent.delta`, `command.output`) has no `id` and is not sent again. A comment every 15 s keeps the connection open. The stream is closed after the event that ends the issue; who has seen everything of an ended issue gets 204, which stops a browser.',
      resume: { schema: { type: 'integer', minimum: 0 }, description: 'Send the events after this sequence number.' },
      sends: {
        description: 'The events. Each `data` is one `IssueEvent`, or live text of the same shape without `seq`.',
        schema: { anyOf: [{ $ref: '#/components/schemas/IssueEvent' }, liveText] },
        example:
          'retry: 2000\n\nid: 1\nevent: issue.created\ndata: {"seq":1,"issue_id":"0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f","type":"issue.created","at":"2026-11-20T09:15:00.000Z","data":{}}\n\nevent: agent.delta\ndata: {"issue_id":"0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f","type":"agent.delta","at":"2026-11-20T09:15:07.310Z","data":{"agent":"planner","text":"The sum"}}\n\n',
      },
      end: 'The issue has ended and all of its events were seen.',
    },
  })
  .input(z.strictObject({ id: resourceId, after: sequence, lastEventId: sequence }))
  // An async function that returns the iterable, not a generator: so a refusal comes before the first byte.
  .subscription(async ({ ctx, input, signal }) => {
    const issue = await authorizeIssue(ctx, ctx.actor.user.id, input.id);
    // A browser that reconnects repeats the address with its `after`, and knows better in its header.
    const after = input.lastEventId ?? input.after ?? 0;
    if (hasSeenAll(issue, after)) return nothingToCome;
    const { session } = ctx.actor;
    ctx.streamSlots.take(session, ctx.signal);
    const gone = signal === undefined ? ctx.signal : AbortSignal.any([signal, ctx.signal]);
    const direct: DirectWay = { sink: null };
    const envelopes = inEnvelopes(ctx, { issue, session, after, signal: gone, direct });
    directWays.set(envelopes, direct);
    return envelopes;
  });

const directWays = new WeakMap<object, DirectWay>();

/** Lets a stream's events go to a sink when that can take them; all others still come out of the iterable, in their turn. */
export function passDirectly(stream: object, sink: EventSink): void {
  const direct = directWays.get(stream);
  if (direct !== undefined) direct.sink = sink;
}

type Following = Parameters<typeof followIssue>[1];

/** Written events go out tracked, with their sequence number as id; both kinds reach a client as `data`. */
async function* inEnvelopes(ctx: RequestContext, following: Following) {
  try {
    for await (const event of followIssue(ctx, following)) {
      yield 'seq' in event ? tracked(String(event.seq), event as StreamedEvent) : { data: event as StreamedEvent };
    }
  } catch (error) {
    throw toTrpcError(error); // the procedure has returned long ago, and with it what translates for the others
  }
}
