import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Role, roles } from '../access/role.ts';
import type { User } from '../account/user.ts';
import type { InvitationId, RepoId, UserId } from '../id/id.ts';

const DAY_MS = 86_400_000;
/** Long enough for a holiday's start, and short enough that a forgotten link opens nothing. */
export const INVITATION_DAYS = 7;
/** Invitations of one user that wait to be used. */
export const MAX_INVITATIONS = 200;
const SECRET_BYTES = 32;

/** The users who may invite: no one, operators, or also admins of a repository into theirs. */
export type InvitationRule = 'off' | 'operators' | 'admins';

/** Permission to make an account with an e-mail, once. The store has only a hash of its token. */
export interface Invitation {
  readonly id: InvitationId;
  readonly email: string;
  /** The repository in which the account gets a role; null: none. */
  readonly repo: { readonly id: RepoId; readonly name: string; readonly role: Role } | null;
  /** It is void when they are disabled, or may no longer invite. */
  readonly invitedBy: Pick<User, 'id' | 'name' | 'email' | 'codehostLogin'>;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export function invitationEnd(now: Date): Date {
  return new Date(now.getTime() + INVITATION_DAYS * DAY_MS);
}

/** The token of an invitation. @param secret 32 random bytes */
export function renderInvitationToken(secret: Uint8Array): string {
  if (secret.byteLength !== SECRET_BYTES) throw new Error(`The secret of an invitation has ${SECRET_BYTES} bytes.`);
  return Buffer.from(secret).toString('base64url');
}

/**
 * The hash under which a token is stored and found. A slow hash would protect no better: 256 random bits cannot be
 * guessed.
 */
export function hashInvitationToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/**
 * The link that an invited person opens. What names them is in the fragment, which browsers send to no server and so stands in no
 * log.
 *
 * @param publicUrl of the service
 */
export function invitationUrl(publicUrl: URL, { token, email }: { readonly token: string; readonly email: string }) {
  const url = new URL('/register', publicUrl);
  url.hash = new URLSearchParams({ invitation: token, email }).toString();
  return url.href;
}

export const invitationWire = z.object({
  id: z.uuid(),
  email: z.string().describe('The account has to be made with this e-mail.'),
  repository: z
    .object({ id: z.uuid(), name: z.string(), role: z.enum(roles) })
    .nullable()
    .describe('Where the account becomes a member; null: nowhere.'),
  invited_by: z.object({
    id: z.uuid(),
    name: z.string().nullable(),
    codehost_login: z.string().nullable(),
  }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().describe('Seven days after it was made.'),
});
export type InvitationWire = z.infer<typeof invitationWire>;

export function toInvitationWire(invitation: Invitation): InvitationWire {
  const { id, email, repo, invitedBy, createdAt, expiresAt } = invitation;
  return {
    id,
    email,
    repository: repo === null ? null : { id: repo.id, name: repo.name, role: repo.role },
    invited_by: { id: invitedBy.id, name: invitedBy.name, codehost_login: invitedBy.codehostLogin },
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

export interface NewInvitation {
  readonly id: InvitationId;
  readonly tokenHash: string;
  readonly email: string;
  readonly repo: { readonly id: RepoId; readonly role: Role } | null;
  readonly invitedBy: UserId;
  readonly expiresAt: Date;
}
