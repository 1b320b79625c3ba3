import { requireOperator, type UserAccount } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import { isId } from '@sluice/core/id';
import type { Actor } from '../identity/session/actor.ts';
import type { RequestContext } from '../procedure/request-context.ts';

/**
 * The account that an operator names by its id. Whether it exists is said to operators alone.
 *
 * @throws AppError `operator_required`, `user_not_found`
 */
export async function namedAccount(
  ctx: Pick<RequestContext, 'users'> & { readonly actor: Actor },
  id: string,
): Promise<UserAccount> {
  requireOperator(ctx.actor.user);
  const account = isId(id) ? await ctx.users.account(id) : null;
  if (account === null || account.deletedAt !== null) throw new AppError('user_not_found');
  return account;
}

/** Closes the streams of sessions and API tokens that have ended. */
export function tellEndedOf({ signals }: Pick<RequestContext, 'signals'>) {
  return (ended: readonly string[]): void => {
    for (const id of ended) signals.sessionEnded(id);
  };
}
