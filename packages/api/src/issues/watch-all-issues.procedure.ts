import { tracked } from '@trpc/server';
import * as z from 'zod';
import { resumeToken } from '../feed/resume-token.ts';
import { credentialOf } from '../identity/session/credential.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { createSubscription } from '../procedure/subscription.ts';

export const watchAllIssues = scopedProcedure('read')
  .meta({
    sse: {
      path: '/events',
      tags: ['issues'],
      summary: 'Follow the events of all issues that you may read (Server-Sent Events)',
      description:
        'Sends the stored events of all issues that you may read, including issues created later: each event once, in order within its issue. `id` is a token to resume with (`Last-Event-ID` or `after`) without a gap. After a long stretch with very many active issues a few events may come twice, with the same `issue_id` and `seq`. Without a token the stream begins now, with `stream.opened`, whose `id` resumes from there; `after=0` sends the whole history first. With a token from before a restore the stream begins now as well: a `stream.opened` in answer to a token says that events may have been missed, so read the issues again. Live text is only in the streams of single issues. The stream does not end by itself.',
      resume: {
        schema: { type: 'string', maxLength: 4_000 },
        description: 'Send the events after the one with this `id`; 0 for all events.',
      },
      sends: {
        description:
          'The events. The `data` of each is a `FollowedEvent` as JSON. The first event of a stream without a token, or with an unknown one, is `stream.opened`, which belongs to no issue and has only `type` and `at`. Every event has an `id`: a token, not a number to count by.',
        schema: 'FollowedEvent',
        example:
          'retry: 2000\n\nid: 4711\nevent: stream.opened\ndata: {"type":"stream.opened","at":"2026-11-20T09:14:58.120Z"}\n\nid: 4711~AZOlsHw-fUqfIWsfDC0-Tw.2\nevent: issue.status\ndata: {"seq":2,"issue_id":"0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f","type":"issue.status","at":"2026-11-20T09:15:00.000Z","data":{"from":"pending","to":"running","stage":"prepare","queue_position":null}}\n\n',
      },
    },
  })
  .input(z.strictObject({ after: resumeToken.optional(), lastEventId: resumeToken.optional() }).optional())
  // An async function that returns the iterable, not a generator, so that a refusal comes before the first byte.
  .subscription(async ({ ctx, input }) => {
    // A browser that reconnects repeats the address with its `after`; its header is newer.
    const token = input?.lastEventId ?? input?.after;
    const resume = token === undefined ? null : await ctx.issueFeed.knownPoint(token);
    const reader = { ...credentialOf(ctx.actor), caller: ctx.caller, gone: ctx.signal, hangUp: ctx.hangUp };
    return createSubscription(ctx.issueFeed.followUser(resume, reader), ({ id, event }) => tracked(id, event));
  });
