import type { User } from '@sluice/core/account';
import { INVITATION_DAYS } from '@sluice/core/invitation';
import type { Repo } from '@sluice/core/repo';
import type { RequestContext } from '../procedure/request-context.ts';
import type { Actor } from '../session/actor.ts';

interface Invited {
  readonly email: string;
  readonly url: string;
  /** Null: to the server alone. */
  readonly repo: Pick<Repo, 'name'> | null;
}

/** Sends the link after the answer, where the server sends e-mails. A lost e-mail loses nothing: the answer has the link too. */
export function sendInvitation(
  { accountMails, options, actor }: Pick<RequestContext, 'accountMails' | 'options'> & { readonly actor: Actor },
  { email, url, repo }: Invited,
): void {
  const { host } = options.publicUrl;
  const { user } = actor;
  accountMails.send(email, {
    kind: 'invitation',
    url,
    days: INVITATION_DAYS,
    inviter: knownNameOf(user),
    place: repo === null ? `the server ${host}` : `the repository ${repo.name} at ${host}`,
  });
}

/**
 * A name for the inviter that the server knows: a display name can be any text, and this e-mail goes to people who have
 * not asked for it.
 */
function knownNameOf({ email, emailVerifiedAt, codehostLogin }: User): string {
  if (email !== null && emailVerifiedAt !== null) return email;
  return codehostLogin ?? 'A user of the server';
}
