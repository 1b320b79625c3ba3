import * as z from 'zod';
import { type Role, roles } from '../access/role.ts';
import type { UserId } from '../id/id.ts';

/** Where a membership comes from: an admin of the repository, or the user's permission on it at the code host. */
export const memberOrigins = ['added', 'codehost'] as const;
export type MemberOrigin = (typeof memberOrigins)[number];

/** Members of one repository, beside the user who registered it. */
export const MOST_MEMBERS = 500;

/** A user with a role in a repository. */
export interface Member {
  readonly userId: UserId;
  readonly name: string | null;
  readonly email: string | null;
  readonly codehostLogin: string | null;
  readonly role: Role;
  /** Null for the user who registered the repository: the service reaches the code host with their account. */
  readonly origin: MemberOrigin | null;
  readonly since: Date;
}

export const memberWire = z.object({
  user_id: z.uuid(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  codehost_login: z.string().nullable(),
  role: z.enum(roles),
  origin: z
    .enum(['registered', ...memberOrigins])
    .describe(
      '`registered`: they registered the repository, and Sluice reaches it with their account; always an admin. `added`: by an admin. `codehost`: by their permission on it at the code host, which Sluice follows.',
    ),
  since: z.iso.datetime(),
});
export type MemberWire = z.infer<typeof memberWire>;

export function toMemberWire(member: Member): MemberWire {
  return {
    user_id: member.userId,
    name: member.name,
    email: member.email,
    codehost_login: member.codehostLogin,
    role: member.role,
    origin: member.origin ?? 'registered',
    since: member.since.toISOString(),
  };
}
