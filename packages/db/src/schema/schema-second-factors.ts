import type { Challenge, SecondFactorKind } from '@sluice/core/account';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

/** Second factors, recovery codes, and the logins that wait for one of them. */
export function makeSecondFactorTables(kit: Kit, users: { id: PgColumn }) {
  const secondFactors = kit.table(
    'second_factors',
    {
      id: kit.text('id').primaryKey(),
      userId: userIdColumn(kit, users).notNull(),
      kind: kit.text('kind').$type<SecondFactorKind>().notNull(),
      name: kit.text('name').notNull(),
      credentialId: kit.text('credential_id'),
      publicKey: kit.text('public_key'),
      counter: kit.big('counter'),
      transports: kit.json<readonly string[]>('transports'),
      secretEncrypted: kit.text('secret_encrypted'),
      secretNonce: kit.text('secret_nonce'),
      lastStep: kit.int('last_step'),
      createdAt: kit.instant('created_at').notNull(),
      lastUsedAt: kit.instant('last_used_at'),
    },
    (t) => [
      kit.index('second_factors_user').on(t.userId),
      kit.uniqueIndex('second_factors_credential').on(t.credentialId),
      kit.check(
        'second_factors_passkey_whole',
        sql.raw(
          "(kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null and transports is not null)",
        ),
      ),
      kit.check(
        'second_factors_totp_whole',
        sql.raw(
          "(kind = 'totp') = (secret_encrypted is not null and secret_nonce is not null and last_step is not null)",
        ),
      ),
    ],
  );

  /** The unused recovery codes: using one deletes it. */
  const recoveryCodes = kit.table(
    'recovery_codes',
    {
      userId: userIdColumn(kit, users).notNull(),
      codeHash: kit.text('code_hash').notNull(),
      createdAt: kit.instant('created_at').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'recovery_codes_pk', columns: [t.userId, t.codeHash] })],
  );

  /** Kept beyond their end, because the wrong codes of an account are counted over all of its logins. */
  const loginChallenges = kit.table(
    'login_challenges',
    {
      hash: kit.text('hash').primaryKey(),
      userId: userIdColumn(kit, users).notNull(),
      purpose: kit.text('purpose').$type<Challenge['purpose']>().notNull(),
      passwordDigest: kit.text('password_digest').notNull(),
      sessionId: kit.text('session_id').$type<NonNullable<Challenge['sessionId']>>(),
      toSign: kit.text('to_sign'),
      attempts: kit.int('attempts').notNull(),
      /** The attempts that were codes of an authenticator app. */
      codes: kit.int('codes').notNull(),
      createdAt: kit.instant('created_at').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
    },
    (t) => [
      kit.index('login_challenges_user').on(t.userId, t.createdAt),
      kit.index('login_challenges_created').on(t.createdAt),
    ],
  );

  return { secondFactors, recoveryCodes, loginChallenges };
}
