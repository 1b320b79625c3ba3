export {
  type Member,
  type MemberOrigin,
  MOST_MEMBERS,
  memberWire,
  toMemberWire,
} from './member.ts';
export type {
  MemberStore,
  MirroredRoles,
  NewMember,
} from './member-store.ts';
export { addMember, changeMember, removeMember } from './members.ts';
