import type { Role } from '@sluice/core/access';
import type { AccountLinkPurpose, PreferencesChange, Session, User } from '@sluice/core/account';
import type { ApiToken } from '@sluice/core/api-token';
import type { UserId } from '@sluice/core/id';
import type { Invitation } from '@sluice/core/invitation';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';

/** Users, their password hashes and failed logins, their sessions, and the links that were sent to them. */
export function makeAccountTables(kit: Kit) {
  const users = kit.table(
    'users',
    {
      id: kit.text('id').$type<User['id']>().primaryKey(),
      email: kit.text('email'),
      /** The e-mail in lower case, by JavaScript's rules: the engines disagree on letters outside ASCII. */
      emailKey: kit.text('email_key'),
      name: kit.text('name'),
      avatarUrl: kit.text('avatar_url'),
      codehostId: kit.text('codehost_id'),
      codehostLogin: kit.text('codehost_login'),
      /** When an operator disabled the user, or they deleted their account. */
      disabledAt: kit.instant('disabled_at'),
      isOperator: kit.bool('is_operator').notNull().default(false),
      createdAt: kit.instant('created_at').notNull(),
      /** What the user has set of their preferences; null: nothing. */
      preferences: kit.json<PreferencesChange>('preferences'),
      /** The time at which they opened the link that was sent to this e-mail; null again for another one. */
      emailVerifiedAt: kit.instant('email_verified_at'),
      /** The time at which they deleted their account. The row stays, because issues and the audit log refer to it. */
      deletedAt: kit.instant('deleted_at'),
    },
    (t) => [
      kit.uniqueIndex('users_email_key').on(t.emailKey),
      kit.uniqueIndex('users_one_per_codehost_id').on(t.codehostId).where(sql.raw('codehost_id is not null')),
      kit.index('users_operators').on(t.isOperator, t.id),
    ],
  );

  /** Separate from the user, so that no read of a user includes the hash. */
  const credentials = kit.table('credentials', {
    userId: userIdColumn(kit, users).primaryKey(),
    passwordHash: kit.text('password_hash').notNull(),
    updatedAt: kit.instant('updated_at').notNull(),
  });

  /** Failed logins by account and day; kept for a while. */
  const failedLogins = kit.table(
    'failed_logins',
    {
      userId: userIdColumn(kit, users).notNull(),
      /** `YYYY-MM-DD` in UTC. */
      day: kit.text('day').notNull(),
      count: kit.int('count').notNull(),
    },
    (t) => [
      kit.primaryKey({ name: 'failed_logins_pk', columns: [t.userId, t.day] }),
      kit.index('failed_logins_by_day').on(t.day),
    ],
  );

  const sessions = kit.table(
    'sessions',
    {
      id: kit.text('id').$type<Session['id']>().primaryKey(),
      userId: userIdColumn(kit, users).notNull(),
      createdAt: kit.instant('created_at').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
      revokedAt: kit.instant('revoked_at'),
      /** The name that its user knows it by. */
      client: kit.text('client'),
      /** Null in rows of an older release; those sessions have no idle timeout. */
      lastSeenAt: kit.instant('last_seen_at'),
      /** Null also where sessions have no idle timeout. */
      idleEndsAt: kit.instant('idle_ends_at'),
      /** Whether the session may only enroll a second factor: one is required, and the user has none. */
      mustEnroll: kit.bool('must_enroll').notNull().default(false),
      /** The OpenID provider at which its user signed in, and the provider's id of its session. */
      oidcIssuer: kit.text('oidc_issuer'),
      oidcSid: kit.text('oidc_sid'),
    },
    (t) => [
      kit.index('sessions_user').on(t.userId),
      // One for each way in which a session ends: `clearExpired` finds the ended ones by them.
      kit.index('sessions_expired').on(t.expiresAt),
      kit.index('sessions_revoked').on(t.revokedAt).where(sql.raw('revoked_at is not null')),
      kit.index('sessions_oidc').on(t.oidcIssuer, t.oidcSid).where(sql.raw('oidc_sid is not null')),
      kit.index('sessions_idle').on(t.idleEndsAt).where(sql.raw('idle_ends_at is not null')),
    ],
  );

  /** Links in e-mails that prove who opens them. Only the hash of what a link holds is stored. */
  const accountLinks = kit.table(
    'account_links',
    {
      tokenHash: kit.text('token_hash').primaryKey(),
      userId: userIdColumn(kit, users).notNull(),
      purpose: kit.text('purpose').$type<AccountLinkPurpose>().notNull(),
      /** The key of the address that it was sent to. */
      emailKey: kit.text('email_key').notNull(),
      createdAt: kit.instant('created_at').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
    },
    (t) => [
      kit.index('account_links_user').on(t.userId, t.purpose, t.createdAt),
      kit.index('account_links_end').on(t.expiresAt),
    ],
  );

  return { users, credentials, failedLogins, sessions, accountLinks };
}

/** A reference to the user to whom a row belongs; the row is deleted with them. */
export function userIdColumn(kit: Kit, users: { id: PgColumn }) {
  return kit
    .text('user_id')
    .$type<User['id']>()
    .references(() => users.id, { onDelete: 'cascade' });
}

/** The permissions of programs. */
export function makeApiTokenTables(kit: Kit, { users, repos }: { users: { id: PgColumn }; repos: { id: PgColumn } }) {
  const apiTokens = kit.table(
    'api_tokens',
    {
      id: kit.text('id').$type<ApiToken['id']>().primaryKey(),
      userId: userIdColumn(kit, users).notNull(),
      /** Null: of all repositories of its owner. */
      repoId: kit
        .text('repo_id')
        .$type<NonNullable<ApiToken['repoId']>>()
        .references(() => repos.id, { onDelete: 'cascade' }),
      name: kit.text('name').notNull(),
      scope: kit.text('scope').$type<ApiToken['scope']>().notNull(),
      /** The base64url of the SHA-256 of its text, which is stored nowhere. */
      hash: kit.text('hash').notNull(),
      hint: kit.text('hint').notNull(),
      createdAt: kit.instant('created_at').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
      lastUsedAt: kit.instant('last_used_at'),
      lastClient: kit.text('last_client'),
      revokedAt: kit.instant('revoked_at'),
    },
    (t) => [
      kit.uniqueIndex('api_tokens_hash').on(t.hash),
      kit.index('api_tokens_user').on(t.userId, t.id),
      kit.index('api_tokens_repo').on(t.repoId, t.id).where(sql.raw('repo_id is not null')),
      kit.index('api_tokens_expired').on(t.expiresAt),
      kit.index('api_tokens_revoked').on(t.revokedAt).where(sql.raw('revoked_at is not null')),
    ],
  );
  return { apiTokens };
}

/** Invitations to make an account. */
export function makeInvitationTables(kit: Kit, { users, repos }: { users: { id: PgColumn }; repos: { id: PgColumn } }) {
  const invitations = kit.table(
    'invitations',
    {
      id: kit.text('id').$type<Invitation['id']>().primaryKey(),
      /** The base64url of the SHA-256 of its token, which is stored nowhere. */
      tokenHash: kit.text('token_hash').notNull(),
      email: kit.text('email').notNull(),
      /** The same as in `users`. */
      emailKey: kit.text('email_key').notNull(),
      /** Who invited. */
      userId: userIdColumn(kit, users).notNull(),
      repoId: kit
        .text('repo_id')
        .$type<NonNullable<Invitation['repo']>['id']>()
        .references(() => repos.id, { onDelete: 'cascade' }),
      role: kit.text('role').$type<Role>(),
      createdAt: kit.instant('created_at').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
      usedAt: kit.instant('used_at'),
      /** The account that was made with it, named and not referenced. */
      usedBy: kit.text('used_by').$type<UserId>(),
    },
    (t) => [
      kit.uniqueIndex('invitations_token').on(t.tokenHash),
      kit.index('invitations_user').on(t.userId, t.id),
      kit.index('invitations_email').on(t.emailKey),
      kit.index('invitations_repo').on(t.repoId, t.id).where(sql.raw('repo_id is not null')),
      kit.index('invitations_expired').on(t.expiresAt),
      kit.check('invitations_role', sql.raw('(repo_id is null) = (role is null)')),
      kit.check('invitations_used', sql.raw('(used_at is null) = (used_by is null)')),
    ],
  );
  return { invitations };
}

/** The tables of the OpenID providers. */
export function makeOidcTables(kit: Kit, users: { id: PgColumn }) {
  /** Users' accounts at the providers. */
  const oidcIdentities = kit.table(
    'oidc_identities',
    {
      issuer: kit.text('issuer').notNull(),
      subject: kit.text('subject').notNull(),
      userId: userIdColumn(kit, users).notNull(),
      /** Whether its groups made the user an operator: then they can take that too. */
      madeOperator: kit.bool('made_operator').notNull(),
      createdAt: kit.instant('created_at').notNull(),
      lastSignInAt: kit.instant('last_sign_in_at').notNull(),
    },
    (t) => [
      kit.primaryKey({ name: 'oidc_identities_pk', columns: [t.issuer, t.subject] }),
      kit.uniqueIndex('oidc_identities_user').on(t.userId, t.issuer),
    ],
  );

  /** Logout tokens that have counted, until they expire. */
  const oidcLogoutTokens = kit.table(
    'oidc_logout_tokens',
    {
      issuer: kit.text('issuer').notNull(),
      tokenId: kit.text('token_id').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
    },
    (t) => [
      kit.primaryKey({ name: 'oidc_logout_tokens_pk', columns: [t.issuer, t.tokenId] }),
      kit.index('oidc_logout_tokens_end').on(t.expiresAt),
    ],
  );

  return { oidcIdentities, oidcLogoutTokens };
}
