import { dayBefore } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import { atOnce, type OpenStores, registeredUser } from './store-harness.ts';

/** What a `UserStore` promises of failed logins, on any database. */
export function failedLoginContract(name: string, open: OpenStores): void {
  describe(`failed logins on ${name}`, () => {
    it('are added up by account and day, whatever the spelling of the e-mail, and not for an e-mail that nobody has', async () => {
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
      expect(await stores.users.failedLogins(ada.id, days[0])).toEqual(found);
      expect(await stores.users.failedLogins(ada.id, days[1])).toEqual(found.slice(0, 1));
      expect(await stores.users.failedLogins(eve.id, days[0])).toEqual([]);
    });

    it('lose none when several processes write at once', async () => {
      await using stores = await open();
      const users = [await registeredUser(stores), await registeredUser(stores)];
      const counts = users.map(({ email }) => ({ email: email ?? '', day: '2026-11-20', count: 1 }));
      await atOnce(8, (by) => stores.users.addFailedLogins(by % 2 === 0 ? counts : counts.toReversed()));
      for (const { id } of users) {
        expect(await stores.users.failedLogins(id, '')).toEqual([{ day: '2026-11-20', count: 8 }]);
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
