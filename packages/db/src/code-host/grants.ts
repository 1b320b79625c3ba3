import type { EncryptedToken } from '@sluice/core/account';
import type { CodeHostLinkStore, EncryptedGrant } from '@sluice/core/code-host';
import type { UserId } from '@sluice/core/id';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';

type Grants = Pick<CodeHostLinkStore, 'grant' | 'replaceGrant' | 'refuseGrant'>;

const findGrant = prepared(({ context, db }, given: Given<{ userId: UserId }>) => {
  const { codehostGrants } = context.database.tables;
  return db
    .select()
    .from(codehostGrants)
    .where(eq(codehostGrants.userId, given('userId', codehostGrants.userId)));
});

/** Users' grants at the code host. */
export function createGrants(context: StoreContext): Grants {
  const { read, tables } = context.database;
  const { codehostGrants } = tables;
  return {
    grant: async (userId) => {
      const [row] = await findGrant({ context, db: read }, { userId });
      if (row === undefined || row.tokenEncrypted === null || row.tokenNonce === null) return null;
      const { tokenEncrypted: encrypted, tokenNonce: nonce, expiresAt, version, refused } = row;
      return { encryptedToken: { encrypted, nonce }, expiresAt, version, refused };
    },

    replaceGrant: (userId, version, grant) =>
      write(context, async ({ db, now }) => {
        const replaced = await db
          .update(codehostGrants)
          .set({ ...columnsOf(grant), version: version + 1, refused: false, updatedAt: now })
          .where(isStill(tables, userId, version))
          .returning({ userId: codehostGrants.userId });
        return replaced.length > 0;
      }),

    // The version stays, so a concurrent refresh of this grant still succeeds and clears the refusal.
    refuseGrant: (userId, version) =>
      write(context, async ({ db, now }) => {
        await db
          .update(codehostGrants)
          .set({ refused: true, updatedAt: now })
          .where(isStill(tables, userId, version));
      }),
  };
}

function isStill({ codehostGrants }: Tables, userId: UserId, version: number) {
  return and(
    eq(codehostGrants.userId, userId),
    eq(codehostGrants.version, version),
    isNotNull(codehostGrants.tokenEncrypted),
  );
}

/**
 * Writes a user's grant and replaces any earlier one. The caller's transaction has already changed the user's row.
 *
 * @returns the replaced token
 */
export async function putGrant(
  { context, db, now }: Write,
  userId: UserId,
  grantOf: (replaced: EncryptedToken | null) => EncryptedGrant,
): Promise<EncryptedToken | null> {
  const { codehostGrants } = context.database.tables;
  // An update that changes nothing locks the row: a refresh either comes before it and is seen, or fails on the new
  // version.
  const [before] = await db
    .update(codehostGrants)
    .set({ version: sql`${codehostGrants.version}` })
    .where(eq(codehostGrants.userId, userId))
    .returning({ encrypted: codehostGrants.tokenEncrypted, nonce: codehostGrants.tokenNonce });
  const { encrypted = null, nonce = null } = before ?? {};
  const replaced = encrypted === null || nonce === null ? null : { encrypted, nonce };
  const set = { ...columnsOf(grantOf(replaced)), refused: false, updatedAt: now };
  await db
    .insert(codehostGrants)
    .values({ userId, ...set, version: 1 })
    .onConflictDoUpdate({
      target: codehostGrants.userId,
      set: { ...set, version: sql`${codehostGrants.version} + 1` },
    });
  return replaced;
}

/** Removes the token from the row. The version is raised, so a refresh that is under way cannot restore it. */
export async function clearGrant({ context, db, now }: Write, userId: UserId): Promise<void> {
  const { codehostGrants } = context.database.tables;
  await db
    .update(codehostGrants)
    .set({
      tokenEncrypted: null,
      tokenNonce: null,
      expiresAt: null,
      version: sql`${codehostGrants.version} + 1`,
      updatedAt: now,
    })
    .where(eq(codehostGrants.userId, userId));
}

function columnsOf({ encryptedToken, expiresAt }: EncryptedGrant) {
  return { tokenEncrypted: encryptedToken.encrypted, tokenNonce: encryptedToken.nonce, expiresAt };
}
