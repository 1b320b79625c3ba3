import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSoakRun } from '@sluice/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSandbox } from '../src/agent/open-sandbox.ts';
import { economyFixes } from '../src/economy/fixes.ts';
import { measureEconomy } from '../src/economy/measure-economy.ts';
import { tallyOf } from '../src/economy/tally.ts';

const FULL = 200_000;

// A whole run of the service each, so they belong to the soak. What makes the figures is also tested beside its files:
// the size of instructions and tools in packages/agents/test/loop/common-beginnings.test.ts, the sums in src/economy.
describe.runIf(isSoakRun).each([16_384, 32_768, FULL])('with a window of %i tokens', (contextTokens) => {
  it.each(economyFixes)('makes the fix "$name" with the same patch as a bare loop, and little more', async (fix) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-economy-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const setting = { folder, sandbox: openSandbox(folder), contextTokens, signal: new AbortController().signal };
    const { sluice, bash } = await measureEconomy(fix, setting);
    expect(bash.outcome).toMatchObject({ ended: 'done' });
    expect(sluice.outcome.patch, sluice.outcome.detail).toBe(bash.outcome.patch);
    for (const { inputTokens } of sluice.requests) expect(inputTokens).toBeLessThan(0.9 * contextTokens);
    const [ours, bare] = [tallyOf(sluice.requests), tallyOf(bash.requests)];
    expect(ours.requests).toBeLessThanOrEqual(bare.requests + 3);
    if (contextTokens === FULL) expect(ours.weightedTokens / bare.weightedTokens).toBeLessThanOrEqual(1.3);
  });
});
