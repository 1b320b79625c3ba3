// Runs pnpm as package.json names it: `node scripts/pnpm.mjs ARGS`. What pnpm starts finds the same pnpm on its PATH.

import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifiedPnpm } from './verified-pnpm.mjs';

try {
  const programs = verifiedPnpm(fileURLToPath(new URL('..', import.meta.url)));
  const env = { ...process.env, PATH: [programs, process.env.PATH].join(delimiter) };
  const { status, error } = spawnSync('pnpm', process.argv.slice(2), { stdio: 'inherit', env });
  if (error !== undefined) throw error;
  process.exitCode = status ?? 1;
} catch (error) {
  process.stderr.write(`sluice: ${error.message}\n`);
  process.exitCode = 1;
}
