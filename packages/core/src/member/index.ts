export {
  MAX_MEMBERS,
  type Member,
  type MemberOrigin,
  memberWire,
  toMemberWire,
} from './member.ts';
export type {
  MemberStore,
  MirroredRoles,
  NewMember,
} from './member-store.ts';
export { addMember, changeMember, removeMember } from './members.ts';
