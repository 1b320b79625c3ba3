import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

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
