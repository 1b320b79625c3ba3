import type { EncryptedSecret, EncryptedSecretStore, PlainSecret } from '@sluice/core/account';
import type { Repo } from '@sluice/core/repo';
import { and, eq, isNotNull, ne, not, type SQL, sql } from 'drizzle-orm';
import { appendInstallationAudit } from '../audit/append-audit.ts';
import { SEALED, toStoredUrl, urlColumn } from '../notification/notification-rows.ts';
import { type StoreContext, write } from '../store/store-context.ts';

/** All encrypted secrets of users. */
export function createEncryptedSecretStore(context: StoreContext): EncryptedSecretStore {
  const { read, tables } = context.database;
  const { codehostGrants, repos, notificationSecrets, notificationTargets, secondFactors } = tables;
  const selectUrls = (isWanted: SQL | undefined, limit: number) =>
    read
      .select({ id: notificationTargets.id, userId: notificationTargets.userId, url: notificationTargets.url })
      .from(notificationTargets)
      .where(and(isNotNull(notificationTargets.url), isWanted))
      .limit(limit);
  /** Behind the prefix of a sealed one. */
  const inUrl = sql`substr(${notificationTargets.url}, ${sql.raw(String(SEALED.length + 1))})`;
  const isPlain = isNotBefore(sql`${notificationTargets.url}`, SEALED);
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
      found.push(...secrets.map((secret) => ({ kind: 'notification_secret' as const, ...secret })));
      if (found.length === limit) return found;
      const urls = await selectUrls(and(not(isPlain), isUnderOther(inUrl, keys)), limit - found.length);
      for (const { id, userId, url } of urls) {
        const encryptedToken = toStoredUrl(url ?? '');
        if (typeof encryptedToken !== 'string') found.push({ kind: 'notification_url', id, userId, encryptedToken });
      }
      if (found.length === limit) return found;
      const factors = await read
        .select({
          id: secondFactors.id,
          userId: secondFactors.userId,
          encrypted: secondFactors.secretEncrypted,
          nonce: secondFactors.secretNonce,
        })
        .from(secondFactors)
        .where(isUnderOther(sql`${secondFactors.secretEncrypted}`, keys))
        .limit(limit - found.length);
      for (const { id, userId, encrypted, nonce } of factors) {
        if (encrypted === null || nonce === null) continue; // never, by the condition
        found.push({ kind: 'second_factor', id, userId, encryptedToken: { encrypted, nonce } });
      }
      return found;
    },

    plain: async (limit) =>
      (await selectUrls(isPlain, limit)).map(
        ({ id, userId, url }): PlainSecret => ({ kind: 'notification_url', id, userId, plain: url ?? '' }),
      ),

    // Not a change that anybody else must hear of: versions and times stay as they are.
    reencrypt: (secret, encryptedToken, act) =>
      write(context, async (write) => {
        const { db } = write;
        const { kind, id, userId } = secret;
        const noted = async (resealed: readonly object[]) => {
          if (resealed.length > 0) appendInstallationAudit(write, act);
          return resealed.length > 0;
        };
        if (kind === 'notification_url') {
          const stored = 'plain' in secret ? secret.plain : urlColumn(secret.encryptedToken);
          const resealed = await db
            .update(notificationTargets)
            .set({ url: urlColumn(encryptedToken) })
            .where(and(eq(notificationTargets.id, id), eq(notificationTargets.url, stored)))
            .returning({ id: notificationTargets.id });
          return await noted(resealed);
        }
        if ('plain' in secret) return false; // only URLs were ever stored in the clear
        const before = secret.encryptedToken;
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
        if (kind === 'second_factor') {
          const resealed = await db
            .update(secondFactors)
            .set({ secretEncrypted: encryptedToken.encrypted, secretNonce: encryptedToken.nonce })
            .where(
              and(
                eq(secondFactors.id, id),
                eq(secondFactors.secretEncrypted, before.encrypted),
                eq(secondFactors.secretNonce, before.nonce),
              ),
            )
            .returning({ id: secondFactors.id });
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
  return and(isNotNull(encrypted), ...keys.map((key) => isNotBefore(encrypted, `${key}:`)));
}

function isNotBefore(text: SQL, prefix: string): SQL {
  return ne(sql`substr(${text}, 1, ${sql.raw(String([...prefix].length))})`, prefix);
}
