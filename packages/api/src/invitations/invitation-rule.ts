import { AppError, type InvitationRule, type User } from '@sluice/core';
import type { ApiOptions } from '../service/api-deps.ts';

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

/** Whether the user may invite into a repository whose admin they are. */
export function mayInvite(settings: Settings, { isOperator }: Pick<User, 'isOperator'>): boolean {
  const rule = invitationRule(settings);
  return rule === 'admins' || (rule === 'operators' && isOperator);
}

/** @throws AppError `invitations_off` */
export function requireInvitations(settings: Settings, user: Pick<User, 'isOperator'>): void {
  if (!mayInvite(settings, user)) throw new AppError('invitations_off', { detail: whyNotToInvite(settings) });
}

function whyNotToInvite({ registration, passwords }: Settings): string {
  if (passwords === false) return 'An invitation makes an account with a password, and PASSWORDS=off accepts none.';
  return registration === 'invite'
    ? 'On this server only operators invite. Ask one of them; they can also set INVITATIONS=admins.'
    : 'This server takes no new accounts by invitation. Its operator can set REGISTRATION=invite.';
}
