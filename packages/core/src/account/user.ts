import * as z from 'zod';
import type { SessionId, UserId } from '../id/id.ts';

/** A user. The password's hash stays in the store's own credential record (`UserStore.credentials`). */
export interface User {
  readonly id: UserId;
  readonly email: string | null;
  /**
   * The time at which they proved by a link in an e-mail that the address is theirs; null: not, or not since it was
   * changed.
   */
  readonly emailVerifiedAt: Date | null;
  readonly name: string | null;
  readonly avatarUrl: string | null;
  readonly codehostId: string | null;
  readonly codehostLogin: string | null;
  /** Whether they run this server: may see the administrator's view, and register folders of the host. */
  readonly isOperator: boolean;
  readonly createdAt: Date;
}

/** A user's login in one client. The JWT in the cookie holds its id; revoking the row ends it. */
export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly createdAt: Date;
  /** The session ends then, even if it is in use. */
  readonly expiresAt: Date;
  /** The time of its last use, to the minute. */
  readonly lastSeenAt: Date;
  /** The time at which it ends unless it is used before; null: no idle timeout. */
  readonly idleEndsAt: Date | null;
  /** A name such as "Firefox on Linux", or null. No address and no version is stored. */
  readonly client: string | null;
  /** Whether it was opened by password alone where a second factor is required, and none is enrolled yet. */
  readonly mustEnroll: boolean;
  /** The issuer of the OpenID provider at which the user signed in; null: another way. */
  readonly oidcIssuer: string | null;
}

export const sessionWire = z.object({
  id: z.uuid(),
  current: z.boolean().describe('Whether this request uses the session.'),
  client: z
    .string()
    .nullable()
    .describe('The client, such as "Firefox on Linux". Nothing else about its origin is stored.'),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime().describe('When it was last used, to the minute.'),
  idle_ends_at: z.iso
    .datetime()
    .nullable()
    .describe('When it ends unless it is used before; null where sessions have no idle timeout.'),
  expires_at: z.iso.datetime().describe('When it ends, even if it is in use.'),
});
export type SessionWire = z.infer<typeof sessionWire>;

export function toSessionWire(session: Session, currentId: SessionId | null): SessionWire {
  return {
    id: session.id,
    current: session.id === currentId,
    client: session.client,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    idle_ends_at: session.idleEndsAt?.toISOString() ?? null,
    expires_at: session.expiresAt.toISOString(),
  };
}

export const userProfileWire = z.object({
  id: z.uuid(),
  email: z.string().nullable(),
  email_verified_at: z.iso
    .datetime()
    .nullable()
    .describe('When you showed by the link in an e-mail that the address is yours; null: not yet.'),
  name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  codehost_id: z.string().nullable(),
  codehost_login: z.string().nullable(),
  operator: z.boolean().describe('Whether you run this server: then you may read `/api/admin/overview`.'),
  created_at: z.iso.datetime(),
});
export type UserProfileWire = z.infer<typeof userProfileWire>;

export function toUserProfileWire(user: User): UserProfileWire {
  return {
    id: user.id,
    email: user.email,
    email_verified_at: user.emailVerifiedAt?.toISOString() ?? null,
    name: user.name,
    avatar_url: user.avatarUrl,
    codehost_id: user.codehostId,
    codehost_login: user.codehostLogin,
    operator: user.isOperator,
    created_at: user.createdAt.toISOString(),
  };
}
