import { tracked } from '@trpc/server';
import * as z from 'zod';
import { toTrpcError } from '../error/to-trpc-error.ts';
import { followUser } from '../feed/follow-user.ts';
import { resumeToken } from '../feed/resume-token.ts';
import { userProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';

/** For the document. */
const streamOpened = {
  type: 'object',
  properties: { type: { type: 'string', const: 'stream.opened' }, at: { type: 'string', format: 'date-time' } },
  required: ['type', 'at'],
  additionalProperties: false,
};

export const watchAllEvents = userProcedure
  .meta({
    sse: {
      path: '/events',
      tags: ['issues'],
      summary: 'Follow all of your issues as it happens (Server-Sent Events)',
      description:
        'The written events of every issue of yours, those that are made later too: of each issue in its order and once. `id` is a token that resumes (`Last-Event-ID` or `after`) with nothing left out; after a long stretch with a great many issues at work a few may come twice, with the same `issue_id` and `seq`. Without a token it begins now, with `stream.opened`, whose `id` resumes from here; `after=0` sends the whole history first. Live text is in the streams of single issues alone. The stream does not end by itself.',
      resume: {
        schema: { type: 'string', maxLength: 4_000 },
        description: 'Send the events after the one with this `id`; 0 = all there are.',
      },
      sends: {
        description:
          'The events. Each `data` is one `IssueEvent`; the first one of a stream that begins without a token is `stream.opened`, which is of no issue and has `type` and `at` alone. Every event has an `id`: a token, not a number to count by.',
        schema: { anyOf: [{ $ref: '#/components/schemas/IssueEvent' }, streamOpened] },
        example:
          'retry: 2000\n\nid: 4711\nevent: stream.opened\ndata: {"type":"stream.opened","at":"2026-11-20T09:14:58.120Z"}\n\nid: 4711~AZOlsHw-fUqfIWsfDC0-Tw.1\nevent: issue.created\ndata: {"seq":1,"issue_id":"0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f","type":"issue.created","at":"2026-11-20T09:15:00.000Z","data":{}}\n\n',
      },
    },
  })
  .input(z.strictObject({ after: resumeToken.optional(), lastEventId: resumeToken.optional() }).optional())
  // An async function that returns the iterable, not a generator: so a refusal comes before the first byte.
  .subscription(async ({ ctx, input, signal }) => {
    const { user, session } = ctx.actor;
    ctx.streamSlots.take(session, ctx.signal);
    return inEnvelopes(ctx, {
      userId: user.id,
      session,
      // A browser that reconnects repeats the address with its `after`, and knows better in its header.
      resume: input?.lastEventId ?? input?.after ?? null,
      signal: signal === undefined ? ctx.signal : AbortSignal.any([signal, ctx.signal]),
    });
  });

async function* inEnvelopes(ctx: RequestContext, following: Parameters<typeof followUser>[1]) {
  try {
    for await (const { id, event } of followUser(ctx, following)) yield tracked(id, event);
  } catch (error) {
    throw toTrpcError(error); // the procedure has returned long ago, and with it what translates for the others
  }
}
