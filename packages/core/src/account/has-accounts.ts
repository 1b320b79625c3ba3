import type { UserStore } from './user-store.ts';

/** Whether an installation has a user; without one, `REGISTRATION=first-user` lets somebody register. */
export async function hasAccounts(users: Pick<UserStore, 'accounts'>): Promise<boolean> {
  const { items } = await users.accounts({ limit: 1, cursor: null });
  return items.length > 0;
}
