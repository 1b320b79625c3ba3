// `npm test`: vitest, then Playwright, which uses the console in a browser. Options go to vitest. With names of files or of
// tests only vitest runs; `apps/web` and files `*.spec.ts` are what Playwright runs. Without names, what
// `left-to-soak.ts` lists does not run.
import { spawnSync } from 'node:child_process';

const args = process.argv.slice(2);
const isSpec = (arg: string) => /\.spec\.ts(:\d+)?$/.test(arg);
const isOption = (arg: string) => arg.startsWith('--');

const specs = args.filter(isSpec);
const others = args.filter((arg) => !isSpec(arg));
const isWhole = args.every(isOption);

function passes(program: string, ...given: readonly string[]): boolean {
  const env = { ...process.env, ...(isWhole && { SLUICE_WHOLE_RUN: '1' }) };
  return spawnSync(process.execPath, [program, ...given], { stdio: 'inherit', env }).status === 0;
}

const runs: (() => boolean)[] = [];
if (isWhole || others.some((arg) => !isOption(arg))) {
  runs.push(() => passes('node_modules/vitest/vitest.mjs', 'run', ...others));
}
if (isWhole || specs.length > 0 || others.some((arg) => /^apps\/web\/?$/.test(arg))) {
  runs.push(() => passes('apps/web/node_modules/@playwright/test/cli.js', 'test', '--config', 'apps/web', ...specs));
}
// The second also runs when the first has failed.
if (runs.map((run) => run()).includes(false)) process.exitCode = 1;
