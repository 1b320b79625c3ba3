import { AppError } from '@sluice/core/error';
import type { RequestContext } from '../../procedure/request-context.ts';
import type { SessionActor } from '../session/actor.ts';

/** How long after a sign-in a session proves its user, where there is no password: time to read what is lost, and no longer. */
const RECENT_MS = 600_000;

/**
 * Checks that the user has just signed in, where no password can prove that it is they who act: an open browser is not enough.
 *
 * @throws AppError `sign_in_not_recent`
 */
export function proveRecentSignIn({
  clock,
  actor,
}: Pick<RequestContext, 'clock'> & { readonly actor: SessionActor }): void {
  const age = clock.now().getTime() - actor.session.createdAt.getTime();
  if (age > RECENT_MS) throw new AppError('sign_in_not_recent');
}
