import type { UserStore } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { and, eq, isNull, ne } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';

interface Flag {
  readonly id: UserId;
  readonly before: boolean;
  readonly after: boolean;
}

const setOperator = prepared(({ context, db }, given: Given<Flag>) => {
  const { users } = context.database.tables;
  return db
    .update(users)
    .set({ isOperator: given('after', users.isOperator) })
    .where(and(eq(users.id, given('id', users.id)), eq(users.isOperator, given('before', users.isOperator))))
    .returning({ id: users.id });
});

const findOther = prepared(({ context, db }, given: Given<{ id: UserId; isOperator: boolean }>) => {
  const { users } = context.database.tables;
  return db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.isOperator, given('isOperator', users.isOperator)),
        ne(users.id, given('id', users.id)),
        isNull(users.disabledAt),
      ),
    )
    .limit(1);
});

/** Whether another user is an operator who can log in. */
export async function hasOtherOperator(on: Handle, id: UserId): Promise<boolean> {
  return (await findOther(on, { id, isOperator: true })).length > 0;
}

const findActive = prepared(({ context, db }, given: Given<{ id: UserId; isOperator: boolean }>) => {
  const { users } = context.database.tables;
  const isOperator = eq(users.isOperator, given('isOperator', users.isOperator));
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, given('id', users.id)), isOperator, isNull(users.disabledAt)));
});

/** Whether without this user no operator could log in. Takes the dispatch lock: two that go at once would both find the other one. */
export async function isLastOperator(write: Write, id: UserId): Promise<boolean> {
  await write.context.database.lockDispatch(write.db);
  if (await hasOtherOperator(write, id)) return false;
  return (await findActive(write, { id, isOperator: true })).length > 0;
}

/** Reads and changes who is an operator. */
export function createOperators(
  context: StoreContext,
): Pick<UserStore, 'hasOtherOperator' | 'grantOperator' | 'revokeOperator'> {
  const reading = { context, db: context.database.read };
  return {
    hasOtherOperator: (id) => hasOtherOperator(reading, id),
    grantOperator: (id, audit) =>
      write(context, async (write) => {
        const granted = await setOperator(write, { id, before: false, after: true });
        if (granted.length > 0) await appendAudit(write, audit);
      }),

    revokeOperator: (id, audit) =>
      write(context, async (write) => {
        // Two that revoke each other would both find the other one.
        await context.database.lockDispatch(write.db);
        if (!(await hasOtherOperator(write, id))) return { kind: 'last_operator' };
        const revoked = await setOperator(write, { id, before: true, after: false });
        if (revoked.length > 0) await appendAudit(write, audit);
        return { kind: 'revoked' };
      }),
  };
}
