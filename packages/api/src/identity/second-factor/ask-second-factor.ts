import type { Challenge, SecondFactor, SecondFactorProof, User } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import type { RequestContext } from '../../procedure/request-context.ts';
import { challengeHashOf, newChallengeToken, passwordDigestOf } from './challenge-token.ts';
import { passkeysOf, requestOptions } from './passkeys.ts';
import { relyingParty } from './relying-party.ts';

const LOGIN_TTL_MS = 300_000; // time to find the phone

/** Whose password was right. */
interface FirstStep extends Pick<Challenge, 'purpose' | 'sessionId'> {
  readonly user: User;
  readonly passwordHash: string;
}

/**
 * Keeps a login, or the deletion of an account, whose password was right for its second step.
 *
 * @returns the refusal that asks for it
 */
export async function askSecondFactor(
  ctx: RequestContext,
  { user, passwordHash, purpose, sessionId }: FirstStep,
  factors: readonly SecondFactor[],
): Promise<AppError> {
  const site = relyingParty(ctx.options);
  const passkeys = site === null || passkeysOf(factors).length === 0 ? null : await requestOptions(site, factors);
  const codesLeft = await ctx.secondFactors.recoveryCodesLeft(user.id);
  const kinds: SecondFactorProof[] = [
    ...(passkeys === null ? [] : (['passkey'] as const)),
    ...(factors.some(({ kind }) => kind === 'totp') ? (['totp'] as const) : []),
    ...(codesLeft === 0 ? [] : (['recovery_code'] as const)),
  ];
  const token = newChallengeToken();
  const expiresAt = new Date(ctx.clock.now().getTime() + LOGIN_TTL_MS);
  await ctx.secondFactors.begin({
    hash: challengeHashOf(token),
    userId: user.id,
    purpose,
    passwordDigest: passwordDigestOf(passwordHash),
    sessionId,
    toSign: passkeys?.challenge ?? null,
    expiresAt,
  });
  return new AppError('second_factor_required', {
    body: { challenge: token, expires_at: expiresAt.toISOString(), second_factors: kinds, passkey_options: passkeys },
  });
}
