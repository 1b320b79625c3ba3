import { AppError } from '@sluice/core/error';
import type { InvitationRule } from '@sluice/core/invitation';
import type { ApiOptions } from '../../service/api-deps.ts';
import type { Actor } from '../session/actor.ts';

type Settings = Pick<ApiOptions, 'registration' | 'passwords' | 'invitations'>;

/**
 * Who may invite here. An invitation makes an account with a password. Where anybody may register, an invitation only adds a
 * membership, so admins may give it.
 */
export function invitationRule({ registration, passwords, invitations = 'operators' }: Settings): InvitationRule {
  if (passwords === false) return 'off';
  if (registration === 'open') return 'admins';
  return registration === 'invite' ? invitations : 'off';
}

/** The user who invites: in a session, or by an API token. */
type Inviter = Pick<Actor, 'user' | 'token'>;

/**
 * Whether the caller may invite into a repository whose admin they are. An account is one of the whole server: where that takes an
 * operator, a token of one repository is not enough.
 */
export function mayInvite(settings: Settings, { user, token }: Inviter): boolean {
  const rule = invitationRule(settings);
  return rule === 'admins' || (rule === 'operators' && user.isOperator && !isLimited(token));
}

/** Checks that the inviter may invite. @throws AppError `invitations_off` */
export function requireInvitations(settings: Settings, inviter: Inviter): void {
  if (!mayInvite(settings, inviter))
    throw new AppError('invitations_off', { detail: whyNotToInvite(settings, inviter) });
}

function whyNotToInvite({ registration, passwords }: Settings, { user, token }: Inviter): string {
  if (passwords === false) return 'An invitation makes an account with a password, and PASSWORDS=off accepts none.';
  if (registration !== 'invite')
    return 'This server takes no new accounts by invitation. Its operator can set REGISTRATION=invite.';
  return user.isOperator && isLimited(token)
    ? 'Only operators invite here, and this API token is limited to one repository. Create one without a repository.'
    : 'On this server only operators invite. Ask one of them; they can also set INVITATIONS=admins.';
}

function isLimited(token: Inviter['token']): boolean {
  return token !== undefined && token !== null && token.repoId !== null;
}
