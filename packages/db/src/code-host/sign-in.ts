import type { User } from '@sluice/core/account';
import type { CodeHostAccount, CodeHostLinkStore } from '@sluice/core/code-host';
import { eq, type SQL, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { markMirrored } from '../member/mark-mirrored.ts';
import type { Tables } from '../schema/schema.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { hasUsers } from '../user/has-users.ts';
import { toUser } from '../user/user-row.ts';
import { putGrant } from './grants.ts';

/**
 * `CodeHostLinkStore.signIn`. Assigning an account to a user takes the dispatch lock, because there is no row yet on
 * which two transactions could wait. That is a transaction of its own, because the lock is always taken first.
 */
export function createSignIn(context: StoreContext): CodeHostLinkStore['signIn'] {
  return async (account, grantOf, newUser) => {
    const signInAsOwner = async (write: Write): Promise<SignedIn | null> => {
      if (await isDisabled(write, account)) return { kind: 'disabled' };
      const known = await asOwner(write, account);
      if (known === null) return null;
      const replaced = await putGrant(write, known.id, (before) => grantOf(known.id, before));
      return { kind: 'matched', user: known, replaced };
    };
    const signedIn = await write(context, signInAsOwner);
    if (signedIn !== null) return signedIn;
    if (newUser === null) return { kind: 'closed' };
    return await write(context, async (write) => {
      await context.database.lockDispatch(write.db);
      const faster = await signInAsOwner(write);
      if (faster !== null) return faster;
      const isOperator = !(await hasUsers(write));
      if (newUser.onlyIfFirst && !isOperator) return { kind: 'closed' };
      const user = await insertUser(write, { id: newUser.id, isOperator }, account);
      await appendAudit(write, newUser.audit);
      await markMirrored(write, null);
      const replaced = await putGrant(write, user.id, (before) => grantOf(user.id, before));
      return { kind: 'created', user, replaced };
    });
  };
}

type SignedIn = Awaited<ReturnType<CodeHostLinkStore['signIn']>>;

/** The user linked to the account, with the current profile of the account. */
async function asOwner({ context, db }: Write, account: CodeHostAccount): Promise<User | null> {
  const { tables } = context.database;
  const [row] = await db
    .update(tables.users)
    .set(profileOf(tables, account))
    .where(eq(tables.users.codehostId, account.id))
    .returning();
  return row === undefined ? null : toUser(row);
}

/** Checked first, so that nothing is written for a disabled user. No session is opened for them in any case. */
async function isDisabled({ context, db }: Write, account: CodeHostAccount): Promise<boolean> {
  const { users } = context.database.tables;
  const [owner] = await db.select({ at: users.disabledAt }).from(users).where(eq(users.codehostId, account.id));
  return owner !== undefined && owner.at !== null;
}

async function insertUser(
  { context, db, now }: Write,
  { id, isOperator }: Pick<User, 'id' | 'isOperator'>,
  account: CodeHostAccount,
): Promise<User> {
  const user: User = {
    id,
    email: null,
    emailVerifiedAt: null,
    name: account.name,
    avatarUrl: account.avatarUrl,
    codehostId: account.id,
    codehostLogin: account.login,
    isOperator,
    createdAt: now,
  };
  const [row] = await db.insert(context.database.tables.users).values(user).returning();
  if (row === undefined) throw new Error('A new user was not written.');
  return toUser(row);
}

/** The account's profile as columns of the user. The user's own name is kept. */
export function profileOf(
  { users }: Tables,
  { login, name, avatarUrl }: CodeHostAccount,
): { codehostLogin: string; avatarUrl: string | null; name: SQL } {
  return { codehostLogin: login, avatarUrl, name: sql`coalesce(${users.name}, ${sql.param(name, users.name)})` };
}
