import { CODE_WINDOW_MS, dayBefore, FAILED_LOGIN_DAYS } from '@sluice/core/account';
import { firstKeptMonth } from '@sluice/core/budget';
import type { MaintenanceStore } from '@sluice/core/operation';
import { and, asc, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { deletionOf } from '../removal/delete-history.ts';
import { type Given, prepared, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';

const TOKENS_KEPT_MS = 30 * 86_400_000; // a user can read that a token or an invitation has expired

interface Piece {
  readonly before: Date;
  readonly limit: number;
}

// Each in the order of its index: by a plan for any limit, Postgres would else read the table as it lies.

/** Deletes expired sessions by one column at a time: for two with an `or`, Postgres reads all sessions. */
const deleteSessions = preparedShapes(
  ({ context, db }, given: Given<Piece>, by: 'expiresAt' | 'revokedAt' | 'idleEndsAt') => {
    const { sessions } = context.database.tables;
    const end = sessions[by];
    const isOver = lt(end, given('before', end));
    const some = db.select({ id: sessions.id }).from(sessions).where(isOver).orderBy(asc(end)).limit(given('limit'));
    return db.delete(sessions).where(inArray(sessions.id, some)).returning({ id: sessions.id });
  },
);

const deleteApiTokens = preparedShapes(({ context, db }, given: Given<Piece>, by: 'expiresAt' | 'revokedAt') => {
  const { apiTokens: tokens } = context.database.tables;
  const end = tokens[by];
  const isOver = lt(end, given('before', end));
  const some = db.select({ id: tokens.id }).from(tokens).where(isOver).orderBy(asc(end)).limit(given('limit'));
  return db.delete(tokens).where(inArray(tokens.id, some)).returning({ id: tokens.id });
});

const deleteInvitations = prepared(({ context, db }, given: Given<Piece>) => {
  const { invitations } = context.database.tables;
  const isOver = lt(invitations.expiresAt, given('before', invitations.expiresAt));
  const some = db
    .select({ id: invitations.id })
    .from(invitations)
    .where(isOver)
    .orderBy(asc(invitations.expiresAt))
    .limit(given('limit'));
  return db.delete(invitations).where(inArray(invitations.id, some)).returning({ id: invitations.id });
});

const deleteFlows = prepared(({ context, db }, given: Given<Piece>) => {
  const { codehostFlows: flows } = context.database.tables;
  const isOver = lt(flows.expiresAt, given('before', flows.expiresAt));
  const some = db
    .select({ nonce: flows.nonce })
    .from(flows)
    .where(isOver)
    .orderBy(asc(flows.expiresAt))
    .limit(given('limit'));
  return db.delete(flows).where(inArray(flows.nonce, some)).returning({ nonce: flows.nonce });
});

const deleteLoginGrants = prepared(({ context, db }, given: Given<Piece>) => {
  const { loginGrants: grants } = context.database.tables;
  const isOver = lt(grants.expiresAt, given('before', grants.expiresAt));
  const some = db
    .select({ grantHash: grants.grantHash })
    .from(grants)
    .where(isOver)
    .orderBy(asc(grants.expiresAt))
    .limit(given('limit'));
  return db.delete(grants).where(inArray(grants.grantHash, some)).returning({ grantHash: grants.grantHash });
});

/** Deletes challenges by their beginning: wrong codes count for a while after the login that they were given in. */
const deleteChallenges = prepared(({ context, db }, given: Given<Piece>) => {
  const { loginChallenges: challenges } = context.database.tables;
  const isOver = lt(challenges.createdAt, given('before', challenges.createdAt));
  const some = db
    .select({ hash: challenges.hash })
    .from(challenges)
    .where(isOver)
    .orderBy(asc(challenges.createdAt))
    .limit(given('limit'));
  return db.delete(challenges).where(inArray(challenges.hash, some)).returning({ hash: challenges.hash });
});

const deleteLinks = prepared(({ context, db }, given: Given<Piece>) => {
  const { accountLinks: links } = context.database.tables;
  const isOver = lt(links.expiresAt, given('before', links.expiresAt));
  const some = db
    .select({ tokenHash: links.tokenHash })
    .from(links)
    .where(isOver)
    .orderBy(asc(links.expiresAt))
    .limit(given('limit'));
  return db.delete(links).where(inArray(links.tokenHash, some)).returning({ tokenHash: links.tokenHash });
});

const deleteAnswers = prepared(({ context, db }, given: Given<Piece>) => {
  const { requestAnswers: answers } = context.database.tables;
  const { userId, route, key } = answers;
  // A request that is still being carried out is kept, however old it is.
  const isFree = or(isNull(answers.heldUntil), lte(answers.heldUntil, context.database.at(0)));
  const isOver = and(lt(answers.createdAt, given('before', answers.createdAt)), isFree);
  const some = db
    .select({ userId, route, key })
    .from(answers)
    .where(isOver)
    .orderBy(asc(answers.createdAt))
    .limit(given('limit'));
  return db
    .delete(answers)
    .where(and(sql`(${userId}, ${route}, ${key}) in ${some}`, isOver))
    .returning({ key });
});

const deleteFailedLogins = prepared(({ context, db }, given: Given<{ day: string; limit: number }>) => {
  const { failedLogins } = context.database.tables;
  const { userId, day } = failedLogins;
  const isOver = lt(day, given('day', day));
  const some = db.select({ userId }).from(failedLogins).where(isOver).orderBy(asc(day)).limit(given('limit'));
  return db
    .delete(failedLogins)
    .where(and(inArray(userId, some), isOver))
    .returning({ day });
});

const deleteWorkers = prepared(({ context, db }, given: Given<Piece>) => {
  const { workers } = context.database.tables;
  const isGone = lt(workers.seenAt, given('before', workers.seenAt));
  const some = db
    .select({ id: workers.id })
    .from(workers)
    .where(isGone)
    .orderBy(asc(workers.seenAt))
    .limit(given('limit'));
  return db
    .delete(workers)
    .where(and(inArray(workers.id, some), isGone))
    .returning({ id: workers.id });
});

const deleteSpending = prepared(({ context, db }, given: Given<{ month: string; limit: number }>) => {
  const { spending } = context.database.tables;
  const { month, kind, subject } = spending;
  const isOver = lt(month, given('month', month));
  const some = db
    .select({ month, kind, subject })
    .from(spending)
    .where(isOver)
    .orderBy(asc(month))
    .limit(given('limit'));
  return db
    .delete(spending)
    .where(and(sql`(${month}, ${kind}, ${subject}) in ${some}`, isOver))
    .returning({ month });
});

// A piece is a few of them: they are large.
const deleteUnusedAttachments = deletionOf(
  ({ attachments: of }) => ({ table: of, key: [of.expiresAt, of.ordinal], wide: of.content }),
  ({ context }, given: Given<{ before: Date }>) => {
    const { attachments } = context.database.tables;
    // SQLite expects that a range without a beginning is most of a table, and reads it whole.
    return and(isNotNull(attachments.expiresAt), lt(attachments.expiresAt, given('before', attachments.expiresAt)));
  },
);

/** Deletes expired sessions, API tokens, invitations, sign-ins, links and stored responses, attachments that no issue has used, workers that are gone, and old counts of failed logins and of what was spent. */
export async function clearExpired(
  context: StoreContext,
  { before, limit }: Parameters<MaintenanceStore['clearExpired']>[0],
): Promise<boolean> {
  const piece = { before, limit };
  const ended = { before: new Date(before.getTime() - TOKENS_KEPT_MS), limit };
  const deletions: ((on: Write) => Promise<readonly unknown[]>)[] = [
    (on) => deleteSessions(on, 'expiresAt', piece),
    (on) => deleteSessions(on, 'revokedAt', piece),
    (on) => deleteSessions(on, 'idleEndsAt', piece),
    (on) => deleteApiTokens(on, 'expiresAt', ended),
    (on) => deleteApiTokens(on, 'revokedAt', ended),
    (on) => deleteInvitations(on, ended),
    (on) => deleteFlows(on, piece),
    (on) => deleteLoginGrants(on, piece),
    (on) => deleteChallenges(on, { before: new Date(before.getTime() - CODE_WINDOW_MS), limit }),
    (on) => deleteLinks(on, piece),
    (on) => deleteAnswers(on, piece),
    (on) => deleteWorkers(on, piece),
    (on) => deleteFailedLogins(on, { day: dayBefore(before, FAILED_LOGIN_DAYS), limit }),
    (on) => deleteSpending(on, { month: firstKeptMonth(before), limit }),
  ];
  let isMore = false;
  // One transaction each, so that other writers wait for one kind only.
  for (const deletion of deletions) isMore = (await write(context, deletion)).length >= limit || isMore;
  const unused = await write(context, (on) => deleteUnusedAttachments(on, { before, left: limit }));
  return isMore || unused.cost >= limit;
}
