import type { User } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import type { RequestContext } from '../../procedure/request-context.ts';
import { startSession } from '../session/start-session.ts';
import { attemptChallenge } from './attempt-challenge.ts';
import { challengeHashOf, passwordDigestOf } from './challenge-token.ts';
import type { GivenSecondFactor } from './second-factor.wire.ts';
import { verifiedFactor } from './verified-factor.ts';

/**
 * Completes a login whose password was right. The session, the challenge and the factor are one write, so that of two that
 * come at once one gets a session.
 *
 * @throws AppError `second_factor_wrong`, `second_factor_challenge_invalid`, `second_factor_paused`
 */
export async function finishLogin(ctx: RequestContext, token: string, given: GivenSecondFactor): Promise<User> {
  const challengeHash = challengeHashOf(token);
  const challenge = await attemptChallenge(ctx, challengeHash, {
    isCode: given.kind === 'totp',
    voidAs: 'second_factor_challenge_invalid',
  });
  const { userId, purpose, passwordDigest } = challenge;
  const [user, hash] = [await ctx.users.get(userId), await ctx.users.passwordHash(userId)];
  if (user === null || hash === null || purpose !== 'login' || passwordDigestOf(hash) !== passwordDigest) {
    throw new AppError('second_factor_challenge_invalid');
  }
  const account = user.email ?? user.id;
  await ctx.loginDelay.wait(account, ctx.signal);
  const use = await verifiedFactor(ctx, challenge, given);
  if (use === null) {
    ctx.failedLogins.note(account);
    await ctx.loginDelay.noteFailure(account);
    throw new AppError('second_factor_wrong');
  }
  await startSession(ctx, user, { by: 'password', hash, secondFactor: { challengeHash, use } });
  return user;
}
