import type { Session, SessionStore } from '@sluice/core/account';
import type { SessionId, UserId } from '@sluice/core/id';
import { and, desc, eq, isNull, lt, or, type SQL } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { idPageOf, parseIdCursor } from '../store/id-page.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { consumeFactor } from './consume-factor.ts';
import { findCredentials } from './credentials.ts';
import { endSessions, isLive } from './end-sessions.ts';
import { holdUser } from './hold-user.ts';
import { toUser } from './user-row.ts';

const findLive = prepared(({ context, db }, given: Given<{ id: SessionId; now: Date }>) => {
  const { tables } = context.database;
  const { sessions, users } = tables;
  return db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, given('id', sessions.id)),
        isLive(tables, given('now', sessions.expiresAt)),
        isNull(users.disabledAt),
      ),
    );
});

const noteSeen = prepared(
  ({ context, db }, given: Given<{ id: SessionId; now: Date; unseenSince: Date; idleEndsAt: Date | null }>) => {
    const { tables } = context.database;
    const { sessions } = tables;
    const now = given('now', sessions.lastSeenAt);
    const isUnseen = or(
      isNull(sessions.lastSeenAt),
      lt(sessions.lastSeenAt, given('unseenSince', sessions.lastSeenAt)),
    );
    return db
      .update(sessions)
      .set({ lastSeenAt: now, idleEndsAt: given('idleEndsAt', sessions.idleEndsAt) })
      .where(and(eq(sessions.id, given('id', sessions.id)), isLive(tables, now), isUnseen));
  },
);

interface ListValues {
  readonly userId: UserId;
  readonly now: Date;
  readonly rows: number;
}

const listNewest = prepared((on, given: Given<ListValues>) => selectLive(on, given));
const listBefore = prepared((on, given: Given<ListValues & { before: SessionId }>) =>
  selectLive(on, given, given('before', on.context.database.tables.sessions.id)),
);

function selectLive({ context, db }: Handle, given: Given<ListValues>, before?: SQL) {
  const { tables } = context.database;
  const { sessions } = tables;
  return db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, given('userId', sessions.userId)),
        isLive(tables, given('now', sessions.expiresAt)),
        before === undefined ? undefined : lt(sessions.id, before),
      ),
    )
    .orderBy(desc(sessions.id))
    .limit(given('rows'));
}

const insertSession = preparedInsert(
  ({ sessions }) => sessions,
  ({ context, db }, rows: Tables['sessions']['$inferInsert'][]) =>
    db.insert(context.database.tables.sessions).values(rows),
);

const setRevoked = prepared(({ context, db }, given: Given<{ id: SessionId; now: Date }>) => {
  const { tables } = context.database;
  const { sessions } = tables;
  const now = given('now', sessions.revokedAt);
  return db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, given('id', sessions.id)), isLive(tables, now)))
    .returning({ id: sessions.id });
});

/**
 * Sessions. They expire by the service's clock, like their cookies: a difference of a second is irrelevant to a session
 * of days.
 */
export function createSessionStore(context: StoreContext): SessionStore {
  const reading = { context, db: context.database.read };
  return {
    create: (
      {
        ifPasswordHash,
        secondFactor,
        client = null,
        idleEndsAt = null,
        mustEnroll = false,
        provider = null,
        ...session
      },
      audit,
    ) =>
      write(context, async (write) => {
        const { now } = write;
        // Disabling a user and changing a password lock the same row: a login either comes first and is ended by it, or
        // comes after it and is refused.
        if (!(await holdUser(write, session.userId))?.isEnabled) return null;
        if (ifPasswordHash !== undefined) {
          const [own] = await findCredentials(write, { userId: session.userId });
          if (own?.passwordHash !== ifPasswordHash) return null;
          const { userId } = session;
          if (!(await consumeFactor(write, { userId, purpose: 'login' }, secondFactor))) return null;
        }
        const created = { ...session, client, createdAt: now, lastSeenAt: now, idleEndsAt, mustEnroll };
        const oidcIssuer = provider?.issuer ?? null;
        await insertSession(write, [{ ...created, oidcIssuer, oidcSid: provider?.sid ?? null }]);
        await appendAudit(write, audit);
        return { ...created, oidcIssuer };
      }),

    find: async (id) => {
      const [row] = await findLive(reading, { id, now: context.clock.now() });
      return row === undefined ? null : { session: toSession(row.session), user: toUser(row.user) };
    },

    touch: (id, { unseenSince, idleEndsAt }) =>
      write(context, async (write) => {
        await noteSeen(write, { id, now: write.now, unseenSince, idleEndsAt });
      }),

    list: async (userId, { limit, cursor }) => {
      const before = parseIdCursor<Session['id']>('sessions', cursor);
      const values = { userId, now: context.clock.now(), rows: limit + 1 };
      const rows = await (before === null ? listNewest(reading, values) : listBefore(reading, { ...values, before }));
      return idPageOf(rows.map(toSession), { limit, cursor, list: 'sessions' });
    },

    revoke: (id, audit) =>
      write(context, async (write) => {
        const revoked = await setRevoked(write, { id, now: write.now });
        if (revoked.length > 0) await appendAudit(write, audit);
        return revoked.length > 0;
      }),

    revokeAll: (userId, audit) =>
      write(context, async (write) => {
        await holdUser(write, userId);
        const ended = await endSessions(write, userId, null);
        await appendAudit(write, audit?.(ended.length));
        return ended;
      }),
  };
}

function toSession({ revokedAt: _, oidcSid: __, lastSeenAt, ...session }: Tables['sessions']['$inferSelect']): Session {
  return { ...session, lastSeenAt: lastSeenAt ?? session.createdAt };
}
