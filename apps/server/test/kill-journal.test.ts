import { expect, it } from 'vitest';
import { killJournal, oneKillOfEachKind } from './kill-journal.ts';

// All boundaries, each side: node_modules/.bin/node apps/server/test/kill-journal.ts; with lost trees: … --loss
it('comes to the same after kill -9 at each kind of boundary, without a model request or an effect twice', async () => {
  const { kills, violations } = await killJournal({ choose: oneKillOfEachKind });
  expect(violations).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(20);
}, 3_600_000);
