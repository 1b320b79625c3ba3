import { toUserProfileWire, userProfileWire } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { publicProcedure } from '../../procedure/procedure.ts';
import { isWeakHash } from '../login/passwords.ts';
import { askSecondFactor } from '../second-factor/ask-second-factor.ts';
import { finishLogin } from '../second-factor/finish-login.ts';
import { challengeToken, givenSecondFactor } from '../second-factor/second-factor.wire.ts';
import { refuseCrossSite } from '../session/refuse-cross-site.ts';
import { startSession } from '../session/start-session.ts';
import { requirePasswords } from '../sign-in/login-ways.ts';
import { givenEmail } from './email.ts';
import { givenPassword } from './new-password.ts';

const PASSWORD = ['email', 'password'] as const;
const SECOND = ['challenge', 'second_factor'] as const;

const input = z
  .strictObject({
    email: givenEmail.optional(),
    password: givenPassword.optional(),
    challenge: challengeToken.optional().describe('The challenge from the 401 with the code `second_factor_required`.'),
    second_factor: givenSecondFactor.optional().describe('With `challenge`, in place of `email` and `password`.'),
  })
  .superRefine((given, { addIssue }) => {
    const isSecond = SECOND.some((name) => given[name] !== undefined);
    for (const name of isSecond ? SECOND : PASSWORD) {
      if (given[name] !== undefined) continue;
      addIssue({ code: 'custom', path: [name], message: 'is required' });
    }
    for (const name of isSecond ? PASSWORD : []) {
      if (given[name] !== undefined)
        addIssue({ code: 'custom', path: [name], message: 'is not sent with a `challenge`' });
    }
  });

export const login = publicProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/login',
      tags: ['auth'],
      summary: 'Log in',
      description:
        'A wrong e-mail and a wrong password get the same answer after the same time. Repeated failures with one e-mail within a quarter of an hour slow down further attempts by up to four seconds; they never lock the account. An account with a second factor is answered 401 `second_factor_required` after a right password, with a `challenge` that is valid once and for five minutes; the login is completed here with it and `second_factor`.',
    },
    limit: 'login',
    headers: { 'Set-Cookie': 'The session, in the cookie `access_token`.' },
    refusals: [
      'bad_credentials',
      'password_login_disabled',
      'second_factor_required',
      'second_factor_wrong',
      'second_factor_challenge_invalid',
      'second_factor_paused',
      'cross_site_login',
      'not_ready',
    ],
    example: { body: { email: 'ada@example.com', password: 'correct horse battery' } },
  })
  .input(input)
  .output(userProfileWire)
  .mutation(async ({ ctx, input }) => {
    refuseCrossSite(ctx);
    requirePasswords(ctx);
    const { challenge, second_factor, email = '', password = '' } = input; // one pair is there, see above
    if (challenge !== undefined && second_factor !== undefined) {
      return toUserProfileWire(await finishLogin(ctx, challenge, second_factor));
    }
    await ctx.loginDelay.wait(email, ctx.signal);
    const known = await ctx.users.credentials(email);
    const matches = await ctx.passwords.verify(known?.passwordHash ?? null, password);
    if (known === null || known.passwordHash === null || !matches) {
      ctx.failedLogins.note(email);
      await ctx.loginDelay.noteFailure(email);
      throw new AppError('bad_credentials');
    }
    let hash = known.passwordHash;
    if (isWeakHash(hash)) {
      const stronger = await ctx.passwords.hash(password);
      if (await ctx.users.rehash(known.user.id, { before: hash, after: stronger })) hash = stronger;
    }
    const factors = await ctx.secondFactors.list(known.user.id);
    const first = { user: known.user, passwordHash: hash, purpose: 'login', sessionId: null } as const;
    if (factors.length > 0) throw await askSecondFactor(ctx, first, factors);
    await startSession(ctx, known.user, { by: 'password', hash });
    return toUserProfileWire(known.user);
  });
