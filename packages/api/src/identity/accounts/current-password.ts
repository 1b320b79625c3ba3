import type { FactorChange } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import type { RequestContext } from '../../procedure/request-context.ts';
import type { SessionActor } from '../session/actor.ts';

/**
 * Checks the current password, which every change of second factors needs: an open browser is not enough.
 *
 * @returns the change as the store takes it, bound to that password
 * @throws AppError `account_without_password`, `password_wrong`
 */
export async function proveCurrentPassword(
  { users, passwords, actor }: Pick<RequestContext, 'users' | 'passwords'> & { readonly actor: SessionActor },
  password: string,
): Promise<FactorChange> {
  const { user, session } = actor;
  const hash = await users.passwordHash(user.id);
  if (hash === null) throw new AppError('account_without_password');
  if (!(await passwords.verify(hash, password))) throw new AppError('password_wrong');
  return { userId: user.id, ifPasswordHash: hash, keep: session.id };
}
