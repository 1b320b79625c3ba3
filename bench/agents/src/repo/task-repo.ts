import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A git repository whose history is cut: one commit, on `main`. */
export interface TaskRepo {
  readonly folder: string;
  readonly base: string;
  /** The repository's own git, without hooks and the user's configuration. */
  git(...args: string[]): string;
}

const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgsign=false', '-c', 'safe.directory=*'];
const PERSON = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost'];
const MAX_OUTPUT_BYTES = 256 * 1_024 ** 2; // of a diff that rewrites a lock file

/** Runs git in a folder. @param folder where; its git directory may be named in `args` */
export function runGit(folder: string, ...args: string[]): string {
  // The author's date is fixed, so that a task has the same commit each time.
  const env = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    PATH: '/usr/local/bin:/usr/bin:/bin',
  };
  return execFileSync('git', [...QUIET, ...PERSON, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Makes a repository of one commit from the files below a folder. @param folder where; it must not exist */
export function makeTaskRepo(files: string, folder: string): TaskRepo {
  mkdirSync(folder, { recursive: true });
  cpSync(files, folder, { recursive: true, verbatimSymlinks: true });
  const git = (...args: string[]) => runGit(folder, ...args);
  git('init', '-q', '-b', 'main');
  git('add', '-A', '-f');
  git('commit', '-q', '--allow-empty', '-m', 'The state before the change');
  return { folder, base: git('rev-parse', 'HEAD').trim(), git };
}

/** Another working tree of the same commit, as a repository of its own. @param folder where; it must not exist */
export function copyTaskRepo(repo: TaskRepo, folder: string): TaskRepo {
  runGit(repo.folder, 'clone', '-q', '--no-hardlinks', repo.folder, folder);
  const git = (...args: string[]) => runGit(folder, ...args);
  return { folder, base: repo.base, git };
}

/**
 * The patch between the base and a working tree that commands have written to. Git reads its own directory, which the
 * commands never saw: they could have put hooks into the tree's.
 */
export function patchOf(repo: TaskRepo, tree: string): string {
  const git = (...args: string[]) =>
    runGit(repo.folder, `--git-dir=${join(repo.folder, '.git')}`, `--work-tree=${tree}`, ...args);
  git('add', '-A');
  return git('diff', '--cached', '--binary', repo.base);
}
