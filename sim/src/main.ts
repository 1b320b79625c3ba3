import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createDatabases } from './database.ts';
import { runMutants } from './mutants.ts';
import { runSeed } from './run-seed.ts';
import { USUAL_FAULTS } from './sim-faults.ts';
import { Violation } from './violation.ts';

// `npm run sim`: runs the service from seeds, and checks every promise after each step. sim/README.md

const USAGE = `Usage:
  npm run sim -- --seeds N [--from S] [--jobs J] [--once]   runs N seeds, in J processes; each twice, or once
  npm run sim -- --seed S [--trace] [--without FAULT,...]   runs one seed, and shows its steps
  npm run sim -- --mutants [NAME ...]                       looks for each planted bug in up to 2,000 seeds
Faults: ${Object.keys(USUAL_FAULTS).join(', ')}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    without: { type: 'string' },
    once: { type: 'boolean', default: false },
    'stop-at-first': { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
  },
});
const without = values.without?.split(',') ?? [];
const unknown = without.filter((name) => !Object.hasOwn(USUAL_FAULTS, name));

// Parts of a run may wait for ever for something that never comes: the process does not.
process.exit(await main());

async function main(): Promise<number> {
  if (unknown.length > 0) return usage(`There is no fault "${unknown.join('", "')}".`);
  if (values.mutants) return await runMutants(positionals);
  if (values.seed !== undefined) return await one(Number(values.seed));
  const count = Number(values.seeds);
  const from = Number(values.from);
  const jobs = Number(values.jobs ?? Math.min(availableParallelism(), Math.ceil(count / 50)));
  if (![count, from, jobs].every((number) => Number.isSafeInteger(number) && number > 0)) return usage('');
  return jobs === 1 ? await series(from, count) : await parallel({ from, count, jobs });
}

function usage(problem: string): number {
  console.error(problem === '' ? USAGE : `${problem}\n${USAGE}`);
  return 2;
}

/** Runs one seed twice. @returns the exit code */
async function one(seed: number): Promise<number> {
  using databases = await createDatabases();
  const first = await runSeed(databases, { seed, isChecked: true, keepsTrace: values.trace, without });
  const second = await runSeed(databases, { seed, isChecked: false, keepsTrace: values.trace, without });
  for (const line of first.trace) console.log(line);
  if (first.violation !== null) console.log(first.violation);
  console.log(`seed ${seed}: ${first.steps} steps, ${render(first.ended)}, trace ${first.hash.toString(16)}`);
  if (first.violation === null && first.hash !== second.hash) {
    const at = first.trace.findIndex((line, index) => line !== second.trace[index]);
    console.log(`The second run differs: ${first.trace[at]} | ${second.trace[at]}`);
    return 1;
  }
  return first.violation === null ? 0 : 1;
}

/** Runs seeds in this process. @returns the exit code */
async function series(from: number, count: number): Promise<number> {
  using databases = await createDatabases();
  const began = performance.now();
  const ended: Record<string, number> = {};
  let failures = 0;
  let steps = 0;
  let ran = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const first = await runSeed(databases, { seed, isChecked: true, without });
    ran += 1;
    steps += first.steps;
    for (const [status, issues] of Object.entries(first.ended)) ended[status] = (ended[status] ?? 0) + issues;
    let problem = first.violation;
    if (problem === null && !values.once) {
      const second = await runSeed(databases, { seed, isChecked: false, without });
      if (second.hash !== first.hash) problem = 'a second run took other steps';
    }
    if (problem === null) continue;
    failures += 1;
    // A violation gets one line, which `--mutants` looks for.
    console.log(`FAILED seed ${seed}:`, problem instanceof Violation ? String(problem) : problem);
    for (const line of first.trace.slice(-15)) console.log(`    ${line}`);
    console.log(
      `  Repeat it with: npm run sim -- --seed ${seed} --trace${without.length > 0 ? ` --without ${without.join()}` : ''}`,
    );
    if (values['stop-at-first']) break;
  }
  const minutes = (performance.now() - began) / 60_000;
  const { user, system } = process.cpuUsage();
  const rates = `${Math.round(ran / minutes)} seeds a minute, ${Math.round((ran * 60e6) / (user + system))} a minute of CPU`;
  console.log(`${ran} seeds from ${from}: ${failures} violations; ${steps} steps; issues: ${render(ended)}; ${rates}`);
  return failures === 0 ? 0 : 1;
}

/** Runs seeds in several processes, a range each. @returns the exit code */
async function parallel({ from, count, jobs }: { from: number; count: number; jobs: number }): Promise<number> {
  const began = performance.now();
  const share = Math.ceil(count / jobs);
  const options: string[] = process.argv
    .slice(2)
    .filter((option) => option === '--once' || option === '--stop-at-first');
  if (values.without !== undefined) options.push('--without', values.without);
  const codes = await Promise.all(
    Array.from({ length: jobs }, (_, index) => {
      const first = from + index * share;
      const seeds = Math.min(share, from + count - first);
      if (seeds <= 0) return 0;
      const range = ['--from', String(first), '--seeds', String(seeds), '--jobs', '1'];
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...range, ...options], {
        stdio: 'inherit',
      });
      return new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
    }),
  );
  const minutes = (performance.now() - began) / 60_000;
  const failed = codes.filter((code) => code !== 0).length;
  console.log(
    `${count} seeds in all, ${Math.round(count / minutes)} a minute; ${failed === 0 ? '0 violations' : 'FAILED'}`,
  );
  return failed === 0 ? 0 : 1;
}

function render(ended: Readonly<Record<string, number>>): string {
  return Object.entries(ended)
    .sort()
    .map(([status, issues]) => `${issues} ${status}`)
    .join(', ');
}
