import { type Handle, prepared } from '../store/prepared.ts';

const findAny = prepared(({ context, db }) => {
  const { users } = context.database.tables;
  return db.select({ id: users.id }).from(users).limit(1);
});

/** Whether anybody has an account. The rows of deleted accounts stay, and the last operator cannot leave, so it stays true. */
export async function hasUsers(on: Handle): Promise<boolean> {
  return (await findAny(on, {})).length > 0;
}
