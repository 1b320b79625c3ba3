import type { DeletionProof } from '@sluice/core/deletion';
import { AppError } from '@sluice/core/error';
import type * as z from 'zod';
import type { RequestContext } from '../../procedure/request-context.ts';
import { askSecondFactor } from '../second-factor/ask-second-factor.ts';
import { attemptChallenge } from '../second-factor/attempt-challenge.ts';
import { challengeHashOf, passwordDigestOf } from '../second-factor/challenge-token.ts';
import type { givenSecondFactor } from '../second-factor/second-factor.wire.ts';
import { verifiedFactor } from '../second-factor/verified-factor.ts';
import type { SessionActor } from '../session/actor.ts';
import { loginWays } from '../sign-in/login-ways.ts';
import { proveCurrentPassword } from './current-password.ts';
import { proveRecentSignIn } from './recent-sign-in.ts';

interface Given {
  readonly current_password?: string | undefined;
  readonly challenge?: string | undefined;
  readonly second_factor?: z.output<typeof givenSecondFactor> | undefined;
}

type Context = RequestContext & { readonly actor: SessionActor };

/**
 * Checks that it is the user themselves who deletes their account: by the current password, completed by a second factor where the
 * account has one; without a password, by a sign-in of the last minutes.
 *
 * @throws AppError `password_wrong`, `second_factor_required` and the other refusals of a second factor, `sign_in_not_recent`
 */
export async function proveForDeletion(ctx: Context, given: Given): Promise<DeletionProof> {
  const { user, session } = ctx.actor;
  const proof = { userId: user.id, sessionId: session.id };
  if (!loginWays(ctx).passwords || (await ctx.users.passwordHash(user.id)) === null) {
    proveRecentSignIn(ctx);
    return { ...proof, ifPasswordHash: null };
  }
  const { challenge, second_factor: factor } = given;
  if (challenge !== undefined && factor !== undefined) return await completed(ctx, challenge, factor);
  const { ifPasswordHash } = await proveCurrentPassword(ctx, given.current_password ?? '');
  const factors = await ctx.secondFactors.list(user.id);
  if (factors.length === 0) return { ...proof, ifPasswordHash };
  const first = { user, passwordHash: ifPasswordHash, purpose: 'deletion', sessionId: session.id } as const;
  throw await askSecondFactor(ctx, first, factors);
}

async function completed(
  ctx: Context,
  token: string,
  given: z.output<typeof givenSecondFactor>,
): Promise<DeletionProof> {
  const { user, session } = ctx.actor;
  const challengeHash = challengeHashOf(token);
  const voidAs = 'second_factor_challenge_invalid';
  const challenge = await attemptChallenge(ctx, challengeHash, { isCode: given.kind === 'totp', voidAs });
  const hash = await ctx.users.passwordHash(user.id);
  const isOurs = challenge.purpose === 'deletion' && challenge.sessionId === session.id;
  if (!isOurs || hash === null || passwordDigestOf(hash) !== challenge.passwordDigest) throw new AppError(voidAs);
  const use = await verifiedFactor(ctx, challenge, given);
  if (use === null) throw new AppError('second_factor_wrong');
  return { userId: user.id, sessionId: session.id, ifPasswordHash: hash, secondFactor: { challengeHash, use } };
}
