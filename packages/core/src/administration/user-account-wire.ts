import * as z from 'zod';
import type { UserAccount } from '../account/user-store.ts';

/** A user, as operators see them. */
export const userAccountWire = z.object({
  id: z.uuid(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  codehost_login: z.string().nullable(),
  has_password: z.boolean(),
  operator: z.boolean(),
  disabled_at: z.iso.datetime().nullable().describe('Null: the user can log in.'),
  deleted_at: z.iso
    .datetime()
    .nullable()
    .describe('When they deleted their account: what is left has no name, no e-mail and no way to log in.'),
  second_factor: z.boolean().describe('Whether a login by password needs a second step.'),
  live_sessions: z.int(),
  live_tokens: z.int().describe('API tokens that can be used.'),
  repositories: z.int().describe('How many repositories they have registered.'),
  failed_logins: z.int().describe('Failed logins of the last seven days.'),
  last_seen_at: z.iso
    .datetime()
    .nullable()
    .describe('The latest use of a session or an API token that is still known, or act in the audit log; null: never.'),
  created_at: z.iso.datetime(),
});
export type UserAccountWire = z.infer<typeof userAccountWire>;

export function toUserAccountWire({ user, ...account }: UserAccount): UserAccountWire {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    codehost_login: user.codehostLogin,
    has_password: account.hasPassword,
    operator: user.isOperator,
    disabled_at: account.disabledAt?.toISOString() ?? null,
    deleted_at: account.deletedAt?.toISOString() ?? null,
    second_factor: account.hasSecondFactor,
    live_sessions: account.liveSessions,
    live_tokens: account.liveTokens,
    repositories: account.repos,
    failed_logins: account.failedLogins,
    last_seen_at: account.lastSeenAt?.toISOString() ?? null,
    created_at: user.createdAt.toISOString(),
  };
}
