import { AppError, toUserProfileWire, userProfileWire } from '@sluice/core';
import * as z from 'zod';
import { text } from '../input/text.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import { startSession } from '../session/start-session.ts';
import { givenEmail } from './email.ts';
import { isWeakHash } from './passwords.ts';

export const login = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/login',
      tags: ['auth'],
      summary: 'Log in',
      description: 'A wrong e-mail and a wrong password are answered alike, and after the same time.',
    },
    limit: 'login',
    headers: { 'Set-Cookie': 'The session, as `access_token`.' },
    refusals: [401],
    example: { body: { email: 'ada@example.com', password: 'correct horse battery' } },
  })
  .input(z.strictObject({ email: givenEmail, password: text({ min: 1, max: 1_024 }).meta({ format: 'password' }) }))
  .output(userProfileWire)
  .mutation(async ({ ctx, input }) => {
    const known = await ctx.users.credentials(input.email);
    const matches = await ctx.passwords.verify(known?.passwordHash ?? null, input.password);
    if (known === null || known.passwordHash === null || !matches) throw new AppError('bad_credentials');
    if (isWeakHash(known.passwordHash)) {
      await ctx.users.setPasswordHash(known.user.id, await ctx.passwords.hash(input.password));
    }
    await startSession(ctx, known.user);
    return toUserProfileWire(known.user);
  });
