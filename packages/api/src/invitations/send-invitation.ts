import { INVITATION_DAYS, type Repo } from '@sluice/core';
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
    inviter: user.name ?? user.email ?? 'A user of the server',
    place: repo === null ? `the server ${host}` : `the repository ${repo.name} at ${host}`,
  });
}
