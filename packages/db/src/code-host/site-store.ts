import type { CodeHostSiteStore } from '@sluice/core/code-host';
import type { NewRepo } from '@sluice/core/repo';
import { eq, isNotNull, or, sql } from 'drizzle-orm';
import { appendAudit, appendInstallationAudit } from '../audit/append-audit.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { moveSite } from './move-site.ts';

const ONLY = 1;
const HOSTED = 'codehost' satisfies NewRepo['provider'];
const PLAIN = 'git' satisfies NewRepo['provider'];

/** The code host that a database belongs to. */
export function createCodeHostSiteStore(context: StoreContext): CodeHostSiteStore {
  const { read, tables } = context.database;
  const { codehostSites: sites } = tables;
  return {
    claim: (origin) =>
      write(context, async ({ db, now }) => {
        // An update that changes nothing returns the existing row, also after waiting for a concurrent insert.
        const [kept] = await db
          .insert(sites)
          .values({ id: ONLY, origin, since: now })
          .onConflictDoUpdate({ target: sites.id, set: { origin: sql`${sites.origin}` } })
          .returning();
        if (kept === undefined) throw new Error('The code host was not kept.');
        return kept.origin;
      }),

    kept: async () => {
      const [kept] = await read.select({ origin: sites.origin }).from(sites);
      return kept?.origin ?? null;
    },

    move: (origin) =>
      write(context, async (write) => {
        const { db, now } = write;
        await context.database.lockDispatch(db);
        const [kept] = await db.select().from(sites);
        if (kept === undefined) return { kind: 'none' };
        const { repos, blocked } = await moveSite(write, origin);
        if (blocked.length > 0) return { kind: 'blocked', from: kept.origin, blocked };
        await db.update(sites).set({ origin, since: now });
        const { origin: from } = kept;
        if (from !== origin || repos > 0) {
          const detail = { from, to: origin, repos };
          appendInstallationAudit(write, { action: 'installation.codehost_moved', detail });
        }
        return { kind: 'moved', from, repos };
      }),

    forget: (audit) =>
      write(context, async (write) => {
        const { db } = write;
        await context.database.lockDispatch(db);
        const [kept] = await db.delete(sites).returning();
        const users = await unlinkAll(write);
        for (const userId of users) await appendAudit(write, audit(userId));
        const repos = await unhostAll(write);
        await forgetNews(write);
        const { origin = null } = kept ?? {};
        if (origin !== null || users.length > 0 || repos > 0) {
          const detail = { codehost: origin, users: users.length, repos };
          appendInstallationAudit(write, { action: 'installation.codehost_forgotten', detail });
        }
        return { origin, users, repos };
      }),
  };
}

async function unlinkAll({ context, db, now }: Write) {
  const { users, codehostGrants: grants } = context.database.tables;
  // The versions are raised, as when a user unlinks, so that a refresh that is under way comes too late.
  await db
    .update(grants)
    .set({
      tokenEncrypted: null,
      tokenNonce: null,
      expiresAt: null,
      version: sql`${grants.version} + 1`,
      updatedAt: now,
    })
    .where(isNotNull(grants.tokenEncrypted));
  const unlinked = await db
    .update(users)
    .set({ codehostId: null, codehostLogin: null })
    .where(isNotNull(users.codehostId))
    .returning({ id: users.id });
  return unlinked.map(({ id }) => id);
}

/** The ids belong to the old host, and a new host's token would be sent to the old address. */
async function unhostAll({ context, db, now }: Write): Promise<number> {
  const { repos } = context.database.tables;
  const plain = await db
    .update(repos)
    .set({ provider: PLAIN, codehostRepoId: null, updatedAt: now })
    .where(or(eq(repos.provider, HOSTED), isNotNull(repos.codehostRepoId)))
    .returning({ id: repos.id });
  return plain.length;
}

async function forgetNews({ context, db }: Write): Promise<void> {
  const { codehostFlows, codehostDeliveries, codehostInbox, codehostPolls, codehostRemovals } = context.database.tables;
  for (const table of [codehostFlows, codehostDeliveries, codehostInbox, codehostPolls, codehostRemovals]) {
    await db.delete(table);
  }
}
