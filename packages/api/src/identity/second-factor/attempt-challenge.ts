import { type Challenge, CODE_ATTEMPTS, CODE_WINDOW_MS } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import type { RequestContext } from '../../procedure/request-context.ts';

interface Attempt {
  /** Whether a code of an authenticator app is tried at a login. */
  readonly isCode: boolean;
  /** What a challenge that does not count is refused as. */
  readonly voidAs: 'second_factor_challenge_invalid' | 'enrollment_expired';
}

/**
 * Counts an attempt, and gives what it is an attempt at.
 *
 * @throws AppError `voidAs`; `second_factor_paused` when the account had too many wrong codes
 */
export async function attemptChallenge(
  { secondFactors, clock }: Pick<RequestContext, 'secondFactors' | 'clock'>,
  challengeHash: string,
  { isCode, voidAs }: Attempt,
): Promise<Challenge> {
  const attempt = await secondFactors.attempt(challengeHash, isCode);
  if (attempt.kind === 'counted') return attempt.challenge;
  if (attempt.kind === 'void') throw new AppError(voidAs);
  throw new AppError('second_factor_paused', {
    limit: CODE_ATTEMPTS,
    windowSeconds: CODE_WINDOW_MS / 1_000,
    retryAfterMs: Math.max(1_000, attempt.until.getTime() - clock.now().getTime()),
  });
}
