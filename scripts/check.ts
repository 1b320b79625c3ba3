// Every check of the repository. None is advisory, and one that fails does not hide the next.
// `npm run check -- types arrows` runs only those.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const colors = process.stdout.isTTY ? 'force' : 'off';

const checks: Record<string, readonly string[][]> = {
  lint: [
    [
      '@biomejs/biome/bin/biome',
      'ci',
      `--colors=${colors}`,
      '--error-on-warnings',
      '--diagnostic-level=warn',
      '--max-diagnostics=100',
    ],
  ],
  rules: [['../scripts/check-house-rules.ts']],
  asvs: [['../scripts/check-asvs.ts']],
  types: [
    ['typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
    ['typescript/bin/tsc', '--noEmit', '-p', 'apps/web'],
  ],
  arrows: [
    [
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      'packages',
      'apps',
      'sim',
      'bench/agents/src',
      'bench/agents/test',
      'scripts',
    ],
  ],
  mass: [['../scripts/check-mass.ts']],
  unused: [['knip/bin/knip.js', '--no-progress', '--no-config-hints']],
  generated: [['../scripts/gen.ts', '--check']],
  breaking: [['../scripts/check-breaking.ts']],
};

function passes(name: string): boolean {
  console.log(`\n== ${name}`);
  const failed = (checks[name] ?? []).filter(([program = '', ...args]) => {
    const { status } = spawnSync(process.execPath, [`node_modules/${program}`, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return status !== 0;
  });
  console.log(`== ${name}: ${failed.length === 0 ? 'passed' : 'FAILED'}`);
  return failed.length === 0;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { report: { type: 'string' } } });
const unknown = positionals.filter((name) => !Object.hasOwn(checks, name));
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}.`);
  process.exit(2);
}

const chosen = positionals.length > 0 ? positionals : Object.keys(checks);
const failed = chosen.filter((name) => !passes(name));
const passed = chosen.length - failed.length;
if (values.report !== undefined)
  writeFileSync(values.report, JSON.stringify({ passed, failed: failed.length, names: failed }));
console.log(`\n${passed} checks passed, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`);
if (failed.length > 0) process.exitCode = 1;
