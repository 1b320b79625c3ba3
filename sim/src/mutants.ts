import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SEEDS = 2_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const mutantsFolder = fileURLToPath(new URL('../mutants', import.meta.url));

/**
 * Plants one bug after another in a copy of the sources, and looks for it. A simulator that misses one proves nothing by
 * finding no others.
 *
 * @param names the patches to try, without their ending; empty: all
 * @returns the exit code: 1 when one was not found
 */
export async function runMutants(names: readonly string[]): Promise<number> {
  const all = readdirSync(mutantsFolder)
    .filter((name) => name.endsWith('.patch'))
    .map((name) => name.replace('.patch', ''))
    .sort();
  const copy = mkdtempSync(join(tmpdir(), 'sluice-mutants-'));
  let missed = 0;
  try {
    copySources(copy);
    for (const name of all.filter((one) => names.length === 0 || names.includes(one))) {
      const patch = join(mutantsFolder, `${name}.patch`);
      run('git', ['apply', patch], copy);
      const found = look(copy);
      if (found === null) missed += 1;
      console.log(`${name}: ${found ?? `NOT FOUND in ${SEEDS} seeds`}`);
      run('git', ['apply', '--reverse', patch], copy);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return missed === 0 ? 0 : 1;
}

/** The seed that found the bug, and how; null when none did. */
function look(copy: string): string | null {
  const arguments_ = [
    join(copy, 'sim/src/main.ts'),
    '--seeds',
    String(SEEDS),
    '--jobs',
    '1',
    '--once',
    '--stop-at-first',
  ];
  const { stdout } = spawnSync(process.execPath, arguments_, { cwd: copy, encoding: 'utf8' });
  return /^FAILED (seed .*)$/m.exec(stdout)?.[1] ?? null;
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
