import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { fewKills, killJournal, oneKillOfEachKind } from '../kill-journal.ts';

// Usual way: apps/server/test/kill-nine.test.ts

// Every boundary, on each side: node_modules/.bin/node apps/server/test/kill-journal.ts; with lost trees: … --loss
it('ends the same after kill -9 at a boundary, and repeats no model request and no effect', async () => {
  const { kills, violations } = await killJournal({ choose: isSoakRun ? oneKillOfEachKind : fewKills });
  expect(violations).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(isSoakRun ? 20 : 3);
});
