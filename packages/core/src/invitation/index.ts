export {
  hashInvitationToken,
  INVITATION_DAYS,
  type Invitation,
  type InvitationRule,
  invitationUrl,
  invitationWire,
  MAX_INVITATIONS,
  type NewInvitation,
  toInvitationWire,
} from './invitation.ts';
export type { InvitationStore, InvitationsOf } from './invitation-store.ts';
export { invite, withdrawInvitation } from './invitations.ts';
