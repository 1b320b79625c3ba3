/*
 * What Sluice asks of a model for three fixes, beside a bare bash loop that makes the same edits. No key is needed: the
 * model is a script on the wire, and everything else is real.
 *
 *   npm run bench:economy [-- --context-tokens 200000] [--folder FOLDER to keep the trajectories]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openSandbox } from './agent/open-sandbox.ts';
import { economyFixes } from './economy/fixes.ts';
import { type EconomyRow, measureEconomy } from './economy/measure-economy.ts';
import { renderEconomy } from './economy/render-economy.ts';

const { values } = parseArgs({
  options: { 'context-tokens': { type: 'string', default: '200000' }, folder: { type: 'string' } },
});
const folder = resolve(values.folder ?? mkdtempSync(join(tmpdir(), 'sluice-economy-')));
mkdirSync(folder, { recursive: true });
try {
  const sandbox = openSandbox(folder);
  const rows: EconomyRow[] = [];
  for (const fix of economyFixes) {
    const setting = {
      folder,
      sandbox,
      contextTokens: Number(values['context-tokens']),
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
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
