import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A git repository in a folder of its own, until it is disposed of. */
export interface ScratchRepo extends Disposable {
  readonly path: string;
  git(...args: string[]): string;
}

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];

/**
 * A repository with a fault and a test that finds it: `value.txt` has to say `fixed`.
 *
 * @param testSeconds how long the test takes once the value is fixed, so that it can be watched
 */
export function makeScratchRepo({ testSeconds = 0 }: { readonly testSeconds?: number } = {}): ScratchRepo {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-web-repo-'));
  const path = join(folder, 'values');
  const git = (...args: string[]) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: path, encoding: 'utf8' }).trim();
  for (const [file, text] of Object.entries(files(testSeconds))) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  git('init', '-q', '-b', 'main', '--template=');
  git('add', '-A');
  git('commit', '-q', '-m', 'Keep a value');
  return { path, git, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function files(testSeconds: number): Readonly<Record<string, string>> {
  return {
    'value.txt': 'broken\n',
    'notes/first.txt': 'one\ntwo\nthree\n',
    '.github/workflows/test.yml': 'name: nightly\n',
    Makefile: 'test:\n\tsh ./check.sh\n',
    'check.sh': `echo 'ok 1 - the notes are there'
if ! grep -qx fixed value.txt; then
  echo 'not ok 2 - the value is fixed'
  exit 1
fi
sleep ${testSeconds}
echo 'ok 2 - the value is fixed'
`,
  };
}

/** What the built-in model can carry out in such a repository. */
export const FIX = 'in `value.txt` replace `broken` with `fixed`';
