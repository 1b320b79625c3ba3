import { type PreferencesChange, toPreferences, type UserStore } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { eq } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdUser } from './hold-user.ts';

const find = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select({ preferences: users.preferences })
    .from(users)
    .where(eq(users.id, given('id', users.id)));
});

const set = prepared(({ context, db }, given: Given<{ id: UserId; preferences: PreferencesChange }>) => {
  const { users } = context.database.tables;
  return db
    .update(users)
    .set({ preferences: given('preferences', users.preferences) })
    .where(eq(users.id, given('id', users.id)));
});

/** The preferences of users, as members that they have set. Those of a newer release are kept. */
export function createPreferences(context: StoreContext): Pick<UserStore, 'preferences' | 'changePreferences'> {
  return {
    preferences: async (id) => {
      const [row] = await find({ context, db: context.database.read }, { id });
      return toPreferences(row?.preferences);
    },
    changePreferences: (id, change) =>
      write(context, async (write) => {
        if ((await holdUser(write, id)) === null) return toPreferences(null);
        const [row] = await find(write, { id });
        const given = Object.entries(change).filter(([, value]) => value !== undefined);
        const preferences = { ...row?.preferences, ...Object.fromEntries(given) };
        await set(write, { id, preferences });
        return toPreferences(preferences);
      }),
  };
}
