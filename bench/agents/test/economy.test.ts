import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openSandbox } from '../src/agent/open-sandbox.ts';
import { economyFixes } from '../src/economy/fixes.ts';
import { measureEconomy } from '../src/economy/measure-economy.ts';
import { tallyOf } from '../src/economy/tally.ts';

it.each(isSoakRun ? economyFixes : economyFixes.slice(0, 1))(
  'makes the fix "$name" with the same patch as a bare loop, and at most three requests more',
  async (fix) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-economy-'));
    const signal = new AbortController().signal;
    const setting = { folder, sandbox: openSandbox(folder), contextTokens: 200_000, signal };
    const { sluice, bash } = await measureEconomy(fix, setting);
    expect(bash.outcome).toMatchObject({ ended: 'done' });
    expect(sluice.outcome.patch, sluice.outcome.detail).toBe(bash.outcome.patch);
    const [ours, bare] = [tallyOf(sluice.requests), tallyOf(bash.requests)];
    expect(ours.requests).toBeLessThanOrEqual(bare.requests + 3);
    // The whole table, with its goal, is printed by `npm run bench:economy`. This holds what is reached.
    expect(ours.weightedTokens / bare.weightedTokens).toBeLessThan(2.5);
  },
);
