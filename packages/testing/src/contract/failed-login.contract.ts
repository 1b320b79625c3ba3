import { dayBefore, type FailedLogins } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import type { Page } from '@sluice/core/request';
import { describe, expect, it } from 'vitest';
import { atOnce, type OpenStores, registeredUser } from './store-harness.ts';

const all = { limit: 100, cursor: null };

/** What a `UserStore` promises of failed logins, on any database. */
export function failedLoginContract(name: string, open: OpenStores): void {
  describe(`failed logins on ${name}`, () => {
    it('are counted by account and day, whatever the spelling of the e-mail, and not for an unknown e-mail', async () => {
      await using stores = await open();
      const [ada, eve] = [await registeredUser(stores), await registeredUser(stores)];
      const email = ada.email ?? '';
      const days = ['2026-11-19', '2026-11-20'] as const;
      await stores.users.addFailedLogins([
        { email, day: days[0], count: 2 },
        { email: email.toUpperCase(), day: days[0], count: 1 },
        { email, day: days[1], count: 4 },
        { email: 'nobody@example.test', day: days[1], count: 9 },
        { email: 'no\0body', day: days[1], count: 9 },
      ]);
      await stores.users.addFailedLogins([{ email, day: days[1], count: 1 }]);
      await stores.users.addFailedLogins([]);
      const found = [
        { day: days[1], count: 5 },
        { day: days[0], count: 3 },
      ];
      const shown = async (id: UserId, since: string) => (await stores.users.failedLogins(id, since, all)).items;
      expect(await shown(ada.id, days[0])).toEqual(found);
      expect(await shown(ada.id, days[1])).toEqual(found.slice(0, 1));
      expect(await shown(eve.id, days[0])).toEqual([]);
    });

    it('come in pages, and a cursor of no such page is refused', async () => {
      await using stores = await open();
      const { id, email } = await registeredUser(stores);
      const days = ['2025-12-31', '2026-01-01', '2026-10-09', '2026-11-20', '2026-11-21'];
      await stores.users.addFailedLogins(days.map((day) => ({ email: email ?? '', day, count: 1 })));
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<FailedLogins> = await stores.users.failedLogins(id, '2026-01-01', { limit: 2, cursor });
        expect(page.items.length).toBeLessThanOrEqual(2);
        seen.push(...page.items.map(({ day }) => day));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(days.slice(1).toReversed());
      for (const wrong of ['', '2026-11-20', 'x'.repeat(40)]) {
        await expect(stores.users.failedLogins(id, '', { limit: 2, cursor: wrong })).rejects.toMatchObject({
          code: 'cursor_invalid',
        });
      }
    });

    it('lose none when several processes write at once', async () => {
      await using stores = await open();
      const users = [await registeredUser(stores), await registeredUser(stores)];
      const counts = users.map(({ email }) => ({ email: email ?? '', day: '2026-11-20', count: 1 }));
      await atOnce(8, (by) => stores.users.addFailedLogins(by % 2 === 0 ? counts : counts.toReversed()));
      for (const { id } of users) {
        const { items } = await stores.users.failedLogins(id, '', all);
        expect(items).toEqual([{ day: '2026-11-20', count: 8 }]);
      }
    });

    it('of the last seven days are shown to the operator', async () => {
      await using stores = await open();
      const { email } = await registeredUser(stores);
      const day = (days: number) => dayBefore(stores.clock.now(), days);
      const counts = [0, 6, 7].map((days) => ({ email: email ?? '', day: day(days), count: 10 + days }));
      await stores.users.addFailedLogins(counts);
      expect((await stores.users.account(email ?? ''))?.failedLogins).toBe(26);
    });
  });
}
