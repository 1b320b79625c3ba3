// `npm test` and `npm run test:deep` (with `--tier=deep`): vitest, then Playwright, which uses the console in a browser.
// Options go to vitest. With names of files or of tests only vitest runs, and finds them in every tier; `apps/web` and files
// `*.spec.ts` are what Playwright runs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** CPU seconds of a whole run with all its processes: twice what it took when the tiers were made. Wall time says nothing. */
const MAX_CPU_SECONDS = { first: 2_700, deep: 3_900 };

const TICKS_A_SECOND = 100; // USER_HZ, which is 100 on every architecture that we run on

const isSpec = (arg: string) => /\.spec\.ts(:\d+)?$/.test(arg);
const isOption = (arg: string) => arg.startsWith('--');

const tier = process.argv.includes('--tier=deep') ? 'deep' : 'first';
const args = process.argv.slice(2).filter((arg) => arg !== '--tier=deep');
const specs = args.filter(isSpec);
const others = args.filter((arg) => !isSpec(arg));
const isWhole = args.every(isOption);

// Both runners start processes of the programs that one of them has built there.
const programs = isWhole ? mkdtempSync(join(tmpdir(), 'sluice-test-programs-')) : undefined;
process.once('exit', () => programs !== undefined && rmSync(programs, { recursive: true, force: true }));

function passes(program: string, ...given: readonly string[]): boolean {
  const env = { ...process.env, ...(isWhole && { SLUICE_TEST_TIER: tier, SLUICE_TEST_PROGRAMS: programs }) };
  return spawnSync(process.execPath, [program, ...given], { stdio: 'inherit', env }).status === 0;
}

/** CPU seconds of all processes below this one that have ended. Null where there is no `/proc`. */
function cpuSecondsOfChildren(): number | null {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name of the program, in parentheses, may hold spaces. After it, cutime and cstime are the fields 14 and 15.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) / TICKS_A_SECOND;
}

function staysBelowCpuLimit(): boolean {
  const taken = cpuSecondsOfChildren();
  if (taken === null) return true;
  const limit = MAX_CPU_SECONDS[tier];
  console.log(`\nThe ${tier} tier took ${taken.toFixed(0)} s of CPU time. Its limit is ${limit} s.`);
  if (taken <= limit) return true;
  console.log(
    'Make the slowest files cheaper, or move the variants of a usual way to the next tier (CONTRIBUTING.md).',
  );
  return false;
}

const runs: (() => boolean)[] = [];
if (isWhole || others.some((arg) => !isOption(arg))) {
  // A reporter on the command line replaces the usual one.
  const usual = others.some((arg) => arg.startsWith('--reporter')) ? [] : ['--reporter=default'];
  const reporters = isWhole ? [...usual, '--reporter=./scripts/slowest-files.ts'] : [];
  runs.push(() => passes('node_modules/vitest/vitest.mjs', 'run', ...others, ...reporters));
}
if (isWhole || specs.length > 0 || others.some((arg) => /^apps\/web\/?$/.test(arg))) {
  runs.push(() => passes('apps/web/node_modules/@playwright/test/cli.js', 'test', '--config', 'apps/web', ...specs));
}
if (isWhole) runs.push(staysBelowCpuLimit);
// Each runs, also when one before it has failed.
if (runs.map((run) => run()).includes(false)) process.exitCode = 1;
