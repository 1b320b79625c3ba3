import type { EncryptedSecret, EncryptedSecretStore, Repo } from '@sluice/core';
import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { appendInstallationAudit } from '../audit/append-audit.ts';
import { type StoreContext, write } from '../store/store-context.ts';

/** All encrypted secrets of users. */
export function createEncryptedSecretStore(context: StoreContext): EncryptedSecretStore {
  const { read, tables } = context.database;
  const { codehostGrants, repos, notificationSecrets, notificationTargets } = tables;
  const inRepo = (member: 'encrypted' | 'nonce') => sql<string>`${repos.accessToken} ->> ${sql.raw(`'${member}'`)}`;
  return {
    encryptedUnderOther: async (keys, limit) => {
      const grants = await read
        .select({
          id: codehostGrants.userId,
          encrypted: codehostGrants.tokenEncrypted,
          nonce: codehostGrants.tokenNonce,
        })
        .from(codehostGrants)
        .where(isUnderOther(sql`${codehostGrants.tokenEncrypted}`, keys))
        .limit(limit);
      const found = grants.flatMap(({ id, encrypted, nonce }): EncryptedSecret[] =>
        encrypted === null || nonce === null
          ? []
          : [{ kind: 'codehost_grant', id, userId: id, encryptedToken: { encrypted, nonce } }],
      );
      if (found.length === limit) return found;
      const tokens = await read
        .select({ id: repos.id, userId: repos.userId, encryptedToken: repos.accessToken })
        .from(repos)
        .where(and(isNotNull(repos.accessToken), isUnderOther(inRepo('encrypted'), keys)))
        .limit(limit - found.length);
      for (const { id, userId, encryptedToken } of tokens) {
        if (encryptedToken !== null) found.push({ kind: 'repo_access_token', id, userId, encryptedToken });
      }
      if (found.length === limit) return found;
      const { id, encrypted, nonce, targetId } = notificationSecrets;
      const secrets = await read
        .select({ id, userId: notificationTargets.userId, encryptedToken: { encrypted, nonce } })
        .from(notificationSecrets)
        .innerJoin(notificationTargets, eq(notificationTargets.id, targetId))
        .where(isUnderOther(sql`${encrypted}`, keys))
        .limit(limit - found.length);
      return [...found, ...secrets.map((secret) => ({ kind: 'notification_secret' as const, ...secret }))];
    },

    // Not a change that anybody else must hear of: versions and times stay as they are.
    reencrypt: ({ kind, id, userId, encryptedToken: before }, encryptedToken, act) =>
      write(context, async (write) => {
        const { db } = write;
        const noted = async (resealed: readonly object[]) => {
          if (resealed.length > 0) appendInstallationAudit(write, act);
          return resealed.length > 0;
        };
        if (kind === 'codehost_grant') {
          const resealed = await db
            .update(codehostGrants)
            .set({ tokenEncrypted: encryptedToken.encrypted, tokenNonce: encryptedToken.nonce })
            .where(
              and(
                eq(codehostGrants.userId, userId),
                eq(codehostGrants.tokenEncrypted, before.encrypted),
                eq(codehostGrants.tokenNonce, before.nonce),
              ),
            )
            .returning({ id: codehostGrants.userId });
          return await noted(resealed);
        }
        if (kind === 'notification_secret') {
          const resealed = await db
            .update(notificationSecrets)
            .set(encryptedToken)
            .where(
              and(
                eq(notificationSecrets.id, id),
                eq(notificationSecrets.encrypted, before.encrypted),
                eq(notificationSecrets.nonce, before.nonce),
              ),
            )
            .returning({ id: notificationSecrets.id });
          return await noted(resealed);
        }
        const resealed = await db
          .update(repos)
          .set({ accessToken: encryptedToken })
          .where(
            and(
              eq(repos.id, id as Repo['id']),
              eq(inRepo('encrypted'), before.encrypted),
              eq(inRepo('nonce'), before.nonce),
            ),
          )
          .returning({ id: repos.id });
        return await noted(resealed);
      }),
  };
}

/** By what stands in front. Not by `like`, which takes some characters of a name for more than they are. */
function isUnderOther(encrypted: SQL, keys: readonly string[]): SQL | undefined {
  const isNotUnder = (prefix: string) =>
    ne(sql`substr(${encrypted}, 1, ${sql.raw(String([...prefix].length))})`, prefix);
  return and(isNotNull(encrypted), ...keys.map((key) => isNotUnder(`${key}:`)));
}
