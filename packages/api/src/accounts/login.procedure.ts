import { AppError, toUserProfileWire, userProfileWire } from '@sluice/core';
import * as z from 'zod';
import { isWeakHash } from '../login/passwords.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { refuseCrossSite } from '../session/refuse-cross-site.ts';
import { startSession } from '../session/start-session.ts';
import { givenEmail } from './email.ts';
import { givenPassword } from './new-password.ts';

export const login = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/login',
      tags: ['auth'],
      summary: 'Log in',
      description:
        'A wrong e-mail and a wrong password get the same answer after the same time. Repeated failures with one e-mail within a quarter of an hour slow down further attempts by up to four seconds; they never lock the account.',
    },
    limit: 'login',
    headers: { 'Set-Cookie': 'The session, in the cookie `access_token`.' },
    refusals: ['bad_credentials', 'cross_site_login', 'not_ready'],
    example: { body: { email: 'ada@example.com', password: 'correct horse battery' } },
  })
  .input(z.strictObject({ email: givenEmail, password: givenPassword }))
  .output(userProfileWire)
  .mutation(async ({ ctx, input }) => {
    refuseCrossSite(ctx);
    await ctx.loginDelay.wait(input.email, ctx.signal);
    const known = await ctx.users.credentials(input.email);
    const matches = await ctx.passwords.verify(known?.passwordHash ?? null, input.password);
    if (known === null || known.passwordHash === null || !matches) {
      ctx.failedLogins.note(input.email);
      await ctx.loginDelay.noteFailure(input.email);
      throw new AppError('bad_credentials');
    }
    let hash = known.passwordHash;
    if (isWeakHash(hash)) {
      const stronger = await ctx.passwords.hash(input.password);
      if (await ctx.users.rehash(known.user.id, { before: hash, after: stronger })) hash = stronger;
    }
    await startSession(ctx, known.user, { by: 'password', hash });
    return toUserProfileWire(known.user);
  });
