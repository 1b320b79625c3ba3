import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSoakRun } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { openSandbox } from '../src/agent/open-sandbox.ts';
import { economyFixes } from '../src/economy/fixes.ts';
import { measureEconomy } from '../src/economy/measure-economy.ts';

// A whole run of the service each, so they belong to the soak.
describe.runIf(isSoakRun).each([16_384, 32_768])('with a window of %i tokens and nothing else set', (contextTokens) => {
  it.each(economyFixes)('makes the fix "$name" with the same patch as a bare loop', async (fix) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-windows-'));
    const setting = { folder, sandbox: openSandbox(folder), contextTokens, signal: new AbortController().signal };
    const { sluice, bash } = await measureEconomy(fix, setting);
    expect(sluice.outcome.patch, sluice.outcome.detail).toBe(bash.outcome.patch);
    for (const { inputTokens } of sluice.requests) expect(inputTokens).toBeLessThan(0.9 * contextTokens);
  });
});
