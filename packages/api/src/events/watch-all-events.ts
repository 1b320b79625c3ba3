import { tracked } from '@trpc/server';
import * as z from 'zod';
import { toTrpcError } from '../error/to-trpc-error.ts';
import { userProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { followUser } from './follow-user.ts';
import { resumeToken } from './resume-token.ts';

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
    },
  })
  .input(z.strictObject({ after: resumeToken.optional(), lastEventId: resumeToken.optional() }).optional())
  // An async function that returns the iterable, not a generator: so a refusal comes before the first byte.
  .subscription(async ({ ctx, input, signal }) => {
    const { user, session } = ctx.actor;
    return inEnvelopes(ctx, {
      userId: user.id,
      sessionId: session.id,
      expiresAt: session.expiresAt,
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
