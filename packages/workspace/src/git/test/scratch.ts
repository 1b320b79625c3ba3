import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Scratch extends AsyncDisposable {
  readonly path: string;
  join(...parts: string[]): string;
}

/** A folder that goes when the test ends. Every user may enter it, as git's own processes may run as another. */
export async function scratchFolder(): Promise<Scratch> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'sluice-git-')));
  await chmod(path, 0o755);
  return {
    path,
    join: (...parts) => join(path, ...parts),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Plain git as a person runs it, for setting up and looking at repositories. */
export async function plainGit(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'A Person',
      GIT_AUTHOR_EMAIL: 'person@example.com',
      GIT_COMMITTER_NAME: 'A Person',
      GIT_COMMITTER_EMAIL: 'person@example.com',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
  });
  return stdout.trim();
}

export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

export const SAMPLE_FILES = { 'README.md': '# Sample\n', 'src/add.js': 'export const add = (a, b) => a - b;\n' };

/** A repository with one commit on `main`. @returns its path */
export async function scratchRepository(path: string, files: Readonly<Record<string, string>> = SAMPLE_FILES) {
  await mkdir(path, { recursive: true });
  await plainGit(path, 'init', '-q', '-b', 'main');
  await writeFiles(path, files);
  await plainGit(path, 'add', '-A', '-f');
  await plainGit(path, 'commit', '-q', '-m', 'first');
  return path;
}

/** A named pipe: what opens it waits for somebody at its other end. */
export function makePipe(path: string): void {
  execFileSync('/bin/sh', ['-c', 'exec "$0" "$1"', 'mkfifo', path]);
}
