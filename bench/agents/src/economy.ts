/*
 * What Sluice asks of a model for three fixes, beside a bare bash loop that makes the same edits. No key is needed: the
 * model is a script on the wire, and everything else is real.
 *
 *   npm run bench:economy [-- --context-tokens 200000] [--folder FOLDER to keep the trajectories]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openSandbox } from './agent/open-sandbox.ts';
import { economyOptions } from './command/economy-options.ts';
import { economyFixes } from './economy/fixes.ts';
import { type EconomyRow, measureEconomy } from './economy/measure-economy.ts';
import { renderEconomy } from './economy/render-economy.ts';

const options = economyOptions(process.argv.slice(2));
if (typeof options === 'number') process.exit(options);
const folder = resolve(options.folder ?? mkdtempSync(join(tmpdir(), 'sluice-economy-')));
mkdirSync(folder, { recursive: true });
try {
  const sandbox = openSandbox(folder);
  const rows: EconomyRow[] = [];
  for (const fix of economyFixes) {
    const setting = {
      folder,
      sandbox,
      contextTokens: options.contextTokens,
      signal: new AbortController().signal,
    };
    rows.push(await measureEconomy(fix, setting));
  }
  process.stdout.write(renderEconomy(rows));
  for (const { fix, sluice, bash } of rows) {
    for (const { outcome } of [sluice, bash]) {
      if (outcome.ended === 'done' && outcome.patch !== '') continue;
      process.stderr.write(`${fix.name} was not made: ${outcome.detail}\n`);
      process.exitCode = 1;
    }
    if (sluice.outcome.patch === bash.outcome.patch) continue;
    process.stderr.write(`${fix.name}: the two patches differ\n`);
    process.exitCode = 1;
  }
} finally {
  if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
