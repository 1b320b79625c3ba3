import type { Challenge, FactorUse, SecondFactor } from '@sluice/core/account';
import type { RequestContext } from '../../procedure/request-context.ts';
import { verifiedAssertion } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { relyingParty } from './relying-party.ts';
import type { GivenSecondFactor } from './second-factor.wire.ts';
import { matchingStep } from './totp.ts';

/** What the given factor uses up; null when it is wrong. */
export async function verifiedFactor(
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
