import { AppError, type Challenge, type FactorUse, type SecondFactor, type User } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';
import { startSession } from '../session/start-session.ts';
import { attemptChallenge } from './attempt-challenge.ts';
import { challengeHashOf, passwordDigestOf } from './challenge-token.ts';
import { verifiedAssertion } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { relyingParty } from './relying-party.ts';
import type { GivenSecondFactor } from './second-factor.wire.ts';
import { matchingStep } from './totp.ts';

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
  const use = await verified(ctx, challenge, given);
  if (use === null) {
    ctx.failedLogins.note(account);
    await ctx.loginDelay.noteFailure(account);
    throw new AppError('second_factor_wrong');
  }
  await startSession(ctx, user, { by: 'password', hash, secondFactor: { challengeHash, use } });
  return user;
}

/** What the given factor uses up; null when it is wrong. */
async function verified(
  ctx: RequestContext,
  { userId, toSign }: Challenge,
  given: GivenSecondFactor,
): Promise<FactorUse | null> {
  if (given.kind === 'recovery_code') {
    const codeHash = recoveryCodeHash(userId, given.code);
    return (await ctx.secondFactors.hasRecoveryCode(userId, codeHash)) ? { kind: 'recovery_code', codeHash } : null;
  }
  const factors = await ctx.secondFactors.list(userId);
  if (given.kind === 'totp') return verifiedCode(ctx, factors, given.code);
  const site = relyingParty(ctx.options);
  if (site === null || toSign === null) return null;
  const signed = await verifiedAssertion(site, given.credential, { toSign, factors });
  return signed === null ? null : { kind: 'passkey', ...signed };
}

function verifiedCode(
  { cipher, clock }: RequestContext,
  factors: readonly SecondFactor[],
  code: string,
): FactorUse | null {
  for (const factor of factors) {
    if (factor.kind !== 'totp') continue;
    const { id, userId, secret, lastStep } = factor;
    const step = matchingStep(cipher.decrypt({ kind: 'second_factor', id, userId }, secret), code, {
      now: clock.now(),
      lastStep,
    });
    if (step !== null) return { kind: 'totp', factorId: id, step };
  }
  return null;
}
