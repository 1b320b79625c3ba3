import * as z from 'zod';
import { type Role, roles } from '../access/role.ts';
import type { UserId } from '../id/id.ts';

/**
 * The origin of a membership: an admin of the repository, the permissions at the code host, or the user's groups at an
 * OpenID provider.
 */
const memberOrigins = ['added', 'mirrored', 'oidc'] as const;
export type MemberOrigin = (typeof memberOrigins)[number];

/** Members of one repository, beside the user who registered it. */
export const MAX_MEMBERS = 500;

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
  email: z
    .string()
    .nullable()
    .describe(
      'Shown to admins, of members without a login at the code host, and to the member themselves; otherwise null.',
    ),
  codehost_login: z.string().nullable(),
  role: z.enum(roles),
  origin: z
    .enum(['registered', ...memberOrigins])
    .describe(
      '`registered`: they registered the repository, and Sluice reaches it with their account; always an admin. `added`: by an admin. `mirrored`: by their permission at the code host. `oidc`: by their groups at the single sign-on, at each sign-in.',
    ),
  since: z.iso.datetime(),
});
export type MemberWire = z.infer<typeof memberWire>;

/**
 * A member as a reader may see them.
 *
 * @param showsEmail whether the reader is an admin, who knows the e-mails of those that were added by one
 */
export function toMemberWire(
  member: Member,
  { reader, showsEmail }: { readonly reader: UserId; readonly showsEmail: boolean },
): MemberWire {
  const isKnown = member.userId === reader || (showsEmail && member.codehostLogin === null);
  return {
    user_id: member.userId,
    name: member.name,
    email: isKnown ? member.email : null,
    codehost_login: member.codehostLogin,
    role: member.role,
    origin: member.origin ?? 'registered',
    since: member.since.toISOString(),
  };
}
