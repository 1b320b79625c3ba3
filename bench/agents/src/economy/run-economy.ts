import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openSandbox } from '../agent/open-sandbox.ts';
import { economyFixes } from './fixes.ts';
import { type EconomyRow, measureEconomy } from './measure-economy.ts';
import { renderEconomy } from './render-economy.ts';

/** How the economy is measured. */
export interface EconomySetting {
  /** The window of the model. */
  readonly contextTokens: number;
  /** Where the trajectories are kept; undefined: nowhere. */
  readonly folder: string | undefined;
}

/** Measures every fix and prints the table. @returns the exit code: 1 when a fix was not made, or made differently */
export async function runEconomy({ contextTokens, folder: kept }: EconomySetting): Promise<number> {
  const folder = resolve(kept ?? mkdtempSync(join(tmpdir(), 'sluice-economy-')));
  mkdirSync(folder, { recursive: true });
  try {
    const sandbox = openSandbox(folder);
    const rows: EconomyRow[] = [];
    for (const fix of economyFixes) {
      rows.push(await measureEconomy(fix, { folder, sandbox, contextTokens, signal: new AbortController().signal }));
    }
    process.stdout.write(renderEconomy(rows));
    const faults = rows.flatMap(faultsOf);
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function faultsOf({ fix, sluice, bash }: EconomyRow): string[] {
  const failed = [sluice, bash].filter(({ outcome }) => outcome.ended !== 'done' || outcome.patch === '');
  return [
    ...failed.map(({ outcome }) => `${fix.name} was not made: ${outcome.detail}`),
    ...(sluice.outcome.patch === bash.outcome.patch ? [] : [`${fix.name}: the two patches differ`]),
  ];
}
