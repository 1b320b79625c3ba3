import * as z from 'zod';
import type { SessionId, UserId } from '../id/id.ts';

/** A user. The password's hash stays in the store's own credential record (`UserStore.credentials`). */
export interface User {
  readonly id: UserId;
  readonly email: string | null;
  readonly name: string | null;
  readonly avatarUrl: string | null;
  readonly codehostId: string | null;
  readonly codehostLogin: string | null;
  readonly createdAt: Date;
}

/** A login of a user in one client. The cookie's JWT names it; revoking the row ends it. */
export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly createdAt: Date;
  /** However much it is used until then. */
  readonly expiresAt: Date;
  /** When it was last used, to the minute. */
  readonly lastSeenAt: Date;
  /** When it ends unless it is used before; null: not by being left alone. */
  readonly idleEndsAt: Date | null;
  /** What its user knows it by, such as "Firefox on Linux"; null when that is not known. No address is kept, no version. */
  readonly client: string | null;
}

export const sessionWire = z.object({
  id: z.uuid(),
  current: z.boolean().describe('Whether it is the one that asks.'),
  client: z.string().nullable().describe('Such as "Firefox on Linux". Nothing else is kept of where it came from.'),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime().describe('When it last made a request, to the minute.'),
  idle_ends_at: z.iso
    .datetime()
    .nullable()
    .describe('When it ends if it makes no request before; null where no session ends by being left alone.'),
  expires_at: z.iso.datetime().describe('When it ends, however much it is used.'),
});
export type SessionWire = z.infer<typeof sessionWire>;

export function toSessionWire(session: Session, currentId: SessionId): SessionWire {
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
  name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  codehost_id: z.string().nullable(),
  codehost_login: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type UserProfileWire = z.infer<typeof userProfileWire>;

export function toUserProfileWire(user: User): UserProfileWire {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    avatar_url: user.avatarUrl,
    codehost_id: user.codehostId,
    codehost_login: user.codehostLogin,
    created_at: user.createdAt.toISOString(),
  };
}
