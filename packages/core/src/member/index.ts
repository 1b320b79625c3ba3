export {
  type Member,
  type MemberOrigin,
  type MemberWire,
  MOST_MEMBERS,
  memberOrigins,
  memberWire,
  toMemberWire,
} from './member.ts';
export type {
  MemberStore,
  MirroredRoles,
  NewMember,
  PutMemberOutcome,
  RemoveMemberOutcome,
} from './member-store.ts';
export { type AddMemberContext, addMember, changeMember, removeMember } from './members.ts';
