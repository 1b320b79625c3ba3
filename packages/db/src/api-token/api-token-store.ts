import { type ApiToken, type ApiTokenStore, MAX_API_TOKENS, type TokensOf } from '@sluice/core/api-token';
import type { ApiTokenId } from '@sluice/core/id';
import { and, desc, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { idPageOf, parseIdCursor } from '../store/id-page.ts';
import { type Given, prepared, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdUser } from '../user/hold-user.ts';
import { toUser } from '../user/user-row.ts';

const selectToken = preparedShapes(
  ({ context, db }, given: Given<{ hash: string; id: ApiTokenId }>, by: 'hash' | 'id') => {
    const { apiTokens: tokens, users } = context.database.tables;
    return db
      .select({ token: tokens, user: users })
      .from(tokens)
      .innerJoin(users, eq(users.id, tokens.userId))
      .where(by === 'hash' ? eq(tokens.hash, given('hash', tokens.hash)) : eq(tokens.id, given('id', tokens.id)));
  },
);

const noteUse = prepared(
  ({ context, db }, given: Given<{ id: ApiTokenId; now: Date; unusedSince: Date; client: string | null }>) => {
    const { apiTokens: tokens } = context.database.tables;
    const isUnused = or(isNull(tokens.lastUsedAt), lt(tokens.lastUsedAt, given('unusedSince', tokens.lastUsedAt)));
    return db
      .update(tokens)
      .set({ lastUsedAt: given('now', tokens.lastUsedAt), lastClient: given('client', tokens.lastClient) })
      .where(and(eq(tokens.id, given('id', tokens.id)), isNull(tokens.revokedAt), isUnused));
  },
);

/** API tokens. Like sessions they expire by the service's clock. */
export function createApiTokenStore(context: StoreContext): ApiTokenStore {
  const { read, tables } = context.database;
  const { apiTokens: tokens, users } = tables;
  const reading = { context, db: read };
  const isOf = (of: TokensOf) => {
    if (of === 'all') return undefined;
    return 'userId' in of ? eq(tokens.userId, of.userId) : eq(tokens.repoId, of.repoId);
  };
  return {
    create: ({ hash, ...token }, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        // So that two requests at once count each other.
        if (!(await holdUser(write, token.userId))?.isEnabled) return { kind: 'disabled' };
        const isUsable = and(eq(tokens.userId, token.userId), isNull(tokens.revokedAt), gt(tokens.expiresAt, now));
        const usable = await db.select({ id: tokens.id }).from(tokens).where(isUsable).limit(MAX_API_TOKENS);
        if (usable.length >= MAX_API_TOKENS) return { kind: 'full' };
        await appendAudit(write, audit);
        await db.insert(tokens).values({ ...token, hash, createdAt: now });
        return {
          kind: 'created',
          token: { ...token, createdAt: now, lastUsedAt: null, lastClient: null, revokedAt: null },
        };
      }),

    find: async (by) => {
      // What the shape leaves out is never read.
      const values = by as { hash: string; id: ApiTokenId };
      const [row] = await selectToken(reading, 'hash' in by ? 'hash' : 'id', values);
      if (row === undefined) return null;
      return { token: toToken(row.token), user: toUser(row.user), isDisabled: row.user.disabledAt !== null };
    },

    touch: (id, { unusedSince, client }) =>
      write(context, async (write) => {
        await noteUse(write, { id, now: write.now, unusedSince, client });
      }),

    list: async (of, { limit, cursor }) => {
      const before = parseIdCursor<ApiTokenId>('tokens', cursor);
      const rows = await read
        .select({
          token: tokens,
          owner: { id: users.id, name: users.name, email: users.email, codehostLogin: users.codehostLogin },
        })
        .from(tokens)
        .innerJoin(users, eq(users.id, tokens.userId))
        .where(and(isOf(of), isNull(tokens.revokedAt), before === null ? undefined : lt(tokens.id, before)))
        .orderBy(desc(tokens.id))
        .limit(limit + 1);
      const listed = rows.map(({ token, owner }) => ({ id: token.id, token: toToken(token), owner }));
      const { items, nextCursor } = idPageOf(listed, { limit, cursor, list: 'tokens' });
      return { items: items.map(({ token, owner }) => ({ token, owner })), nextCursor };
    },

    revoke: (id, audit) =>
      write(context, async (write) => {
        const revoked = await write.db
          .update(tokens)
          .set({ revokedAt: write.now })
          .where(and(eq(tokens.id, id), isNull(tokens.revokedAt)))
          .returning({ id: tokens.id });
        if (revoked.length > 0) await appendAudit(write, audit);
        return revoked.length > 0;
      }),
  };
}

function toToken({ hash: _, ...token }: Tables['apiTokens']['$inferSelect']): ApiToken {
  return token;
}
