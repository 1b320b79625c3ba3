import { hashInvitationToken, type NewInvitation } from '@sluice/core/invitation';
import { newId } from './ids.ts';

/** The input that creates an invitation by a user; its id is its token. */
export function aNewInvitation(
  overrides: Partial<NewInvitation> & Pick<NewInvitation, 'invitedBy' | 'expiresAt'>,
): NewInvitation {
  const id = overrides.id ?? newId<NewInvitation['id']>();
  return { id, tokenHash: hashInvitationToken(id), email: `${id}@example.test`, repo: null, ...overrides };
}
