import type { CatalogEntry } from './error-kind.ts';

/** Errors of invitations. */
export const invitationErrors = {
  invitation_invalid: {
    kind: 'invalid',
    retry: false,
    message:
      'This invitation was used, has expired, was taken back, or is for another e-mail. Ask the person who invited you for another one.',
  },
  invitation_required: {
    kind: 'forbidden',
    retry: false,
    message: 'This server takes new accounts by invitation only. Ask its operator for one.',
  },
  invitation_not_found: {
    kind: 'not_found',
    retry: false,
    message: 'The invitation does not exist, was used or was taken back.',
  },
  invitation_for_account: {
    kind: 'conflict',
    retry: false,
    message: 'An account on this server has this e-mail already.',
  },
  invitations_full: {
    kind: 'conflict',
    retry: false,
    message: 'You have as many open invitations as one user may have. Take one back first.',
  },
  invitations_off: {
    kind: 'conflict',
    retry: false,
    message: 'You may not invite on this server. Its operator can set REGISTRATION=invite and INVITATIONS=admins.',
  },
} as const satisfies Record<string, CatalogEntry>;
