import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, toUserProfileWire, userProfileWire } from '@sluice/core';
import * as z from 'zod';
import { publicProcedure } from '../procedure/procedure.ts';
import { startSession } from '../session/start-session.ts';
import { grantHashOf } from './login-grant.ts';

const unguessable = z.string().regex(/^[\w-]{43,128}$/, 'must be 43 to 128 of A-Z, a-z, 0-9, - and _');

export const finishCodehostCliLogin = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/codehost/cli',
      tags: ['codehost'],
      summary: 'Exchange the grant of a sign-in at the code host for a session',
      description: 'A grant is valid once, for one minute, and only with its verifier.',
    },
    limit: 'start_codehost_login',
    refusals: ['codehost_state_invalid', 'account_disabled', 'not_ready'],
    headers: { 'Set-Cookie': 'The session, in the cookie `access_token`.' },
    example: {
      body: {
        grant: 'Zk3wq1nB0tY8cRj5Lh2xVdS7uPo4Ea9GmTfKiQy6WbM',
        verifier: 'pN7sXr2Vd9Kc4Hj0Tf6Lw1Bz8Qm5Gy3EaUoRiYtCkWs',
      },
    },
  })
  .input(
    z.strictObject({
      grant: unguessable.describe('The grant that the browser delivered to 127.0.0.1.'),
      verifier: unguessable.describe('The secret that `challenge` is the hash of.'),
    }),
  )
  .output(userProfileWire)
  .mutation(async ({ ctx, input }) => {
    const grant = await ctx.codehostLinks.takeLoginGrant(grantHashOf(input.grant));
    if (grant === null || !answers(input.verifier, grant.challenge)) throw new AppError('codehost_state_invalid');
    const user = await ctx.users.get(grant.userId);
    if (user === null) throw new AppError('codehost_state_invalid');
    await startSession(ctx, user, { by: 'codehost' });
    return toUserProfileWire(user);
  });

function answers(verifier: string, challenge: string): boolean {
  const given = createHash('sha256').update(verifier).digest();
  const wanted = Buffer.from(challenge, 'base64url');
  return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted);
}
