import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A local git repository for one test. */
export interface ScratchRepo {
  readonly path: string;
  git(...args: string[]): string;
}

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];

/** Makes a repository with one commit of these files. */
export function makeScratchRepo(files: Readonly<Record<string, string>>, name = 'repo'): ScratchRepo {
  const path = join(mkdtempSync(join(tmpdir(), 'sluice-repo-')), name);
  mkdirSync(path);
  const git = (...args: string[]) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: path, encoding: 'utf8', timeout: 30_000 }).trim();
  git('init', '-q', '-b', 'main');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'base');
  return { path, git };
}

/** A repository whose one test (a shell script run by `make test`) fails until `value.txt` says `fixed`. */
export function makeBuggyRepo(options: { name?: string; testScript?: string } = {}): ScratchRepo {
  return makeScratchRepo(
    {
      'value.txt': 'broken\n',
      Makefile: 'test:\n\tsh ./check.sh\n',
      'check.sh':
        options.testScript ??
        `grep -qx fixed value.txt || { echo 'not ok 1 - value is fixed'; exit 1; }\necho 'ok 1 - value is fixed'\n`,
    },
    options.name,
  );
}

/** An issue that the built-in model can carry out on `makeBuggyRepo`. */
export const fixingIssue = {
  title: 'The value is broken',
  body: 'in `value.txt` replace `broken` with `fixed`\n',
};
