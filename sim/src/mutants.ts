import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SEEDS = 2_000;
const CLEAN_SEEDS = 20;
const root = fileURLToPath(new URL('../..', import.meta.url));
const mutantsFolder = fileURLToPath(new URL('../mutants', import.meta.url));

/**
 * Plants one bug after another in a copy of the sources, and looks for it. A simulator that misses one proves nothing by
 * finding no others.
 *
 * @param names the patches to try, without their ending; empty: all
 * @returns the exit code: 1 when one was not found, 2 when there is no patch of that name
 */
export async function runMutants(names: readonly string[]): Promise<number> {
  const all = readdirSync(mutantsFolder)
    .filter((name) => name.endsWith('.patch'))
    .map((name) => name.replace('.patch', ''))
    .sort();
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no patch "${unknown.join('", "')}" in sim/mutants. There are: ${all.join(', ')}.`);
    return 2;
  }
  const copy = mkdtempSync(join(tmpdir(), 'sluice-mutants-'));
  let missed = 0;
  try {
    copySources(copy);
    const clean = look(copy, CLEAN_SEEDS);
    if (clean !== null) throw new Error(`The copy fails without a planted bug: ${clean.what}`);
    for (const name of all.filter((one) => names.length === 0 || names.includes(one))) {
      const patch = join(mutantsFolder, `${name}.patch`);
      run('git', ['apply', patch], copy);
      const failure = look(copy, SEEDS);
      if (failure?.isFound !== true) missed += 1;
      console.log(`${name}: ${render(failure)}`);
      run('git', ['apply', '--reverse', patch], copy);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return missed === 0 ? 0 : 1;
}

interface Failure {
  /**
   * Whether a promise was broken, or a check of the service's own code found what must never be, which throws a plain
   * `Error`. Any other error may be a fault of the patch itself, and proves nothing.
   */
  readonly isFound: boolean;
  readonly what: string;
}

function render(failure: Failure | null): string {
  if (failure === null) return `NOT FOUND in ${SEEDS} seeds`;
  return failure.isFound ? failure.what : `NOT FOUND: an error, and no broken promise: ${failure.what}`;
}

/** Runs seeds up to the first that fails. @returns null when none does */
function look(copy: string, seeds: number): Failure | null {
  const main = join(copy, 'sim/src/main.ts');
  const options = ['--seeds', String(seeds), '--jobs', '1', '--once', '--stop-at-first'];
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...options], { cwd: copy, encoding: 'utf8' });
  if (status === 0) return null;
  const what = /^FAILED (seed .*)$/m.exec(stdout)?.[1] ?? stderr;
  return { isFound: /^seed \d+: (Violation|Error): /.test(what), what };
}

/** Copies what a run imports; packages from outside are linked. */
function copySources(copy: string): void {
  for (const folder of ['packages', 'sim']) {
    cpSync(join(root, folder), join(copy, folder), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // `git apply` outside a repository takes any folder; inside one it would skip what the index does not name.
  if (dirname(copy) === root) throw new Error('The copy must lie outside the repository.');
}

function run(command: string, arguments_: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, arguments_, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${arguments_.join(' ')} failed: ${stderr}`);
}
