import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { HostRepository } from './host-state.ts';

const run = promisify(execFile);

/** Hides the git configuration of the user that runs the tests. */
export const cleanGitEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
};

export async function gitIn(path: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run('git', args, {
    cwd: path,
    env: { ...cleanGitEnvironment, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim();
}

/** The commit of a branch, or null where there is none of that name. */
export async function tipOf(repo: HostRepository, branch: string): Promise<string | null> {
  try {
    return await gitIn(repo.path, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`]);
  } catch {
    return null;
  }
}

export async function countCommits(repo: HostRepository, from: string, to: string): Promise<number> {
  return Number(await gitIn(repo.path, ['rev-list', '--count', `${from}..${to}`]));
}

export interface PersonsCommit {
  readonly branch: string;
  /** File name to text; null removes it. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message?: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly at: Date;
}

/** Commits on the tip of a branch, as somebody who pushes does; a new branch begins at the default one. */
export async function commitTo(repo: HostRepository, commit: PersonsCommit, work: string): Promise<string> {
  const isThere = (await tipOf(repo, commit.branch)) !== null;
  await gitIn(dirname(work), [
    'clone',
    '-q',
    '--no-local',
    '-b',
    isThere ? commit.branch : repo.defaultBranch,
    repo.path,
    work,
  ]);
  if (!isThere) await gitIn(work, ['switch', '-q', '-c', commit.branch]);
  for (const [file, text] of Object.entries(commit.files)) {
    const path = join(work, file);
    if (text === null) {
      await gitIn(work, ['rm', '-q', file]);
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  await gitIn(work, ['add', '-A']);
  const { name, email } = commit.author;
  const date = `${Math.floor(commit.at.getTime() / 1_000)} +0000`;
  const who = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
  await gitIn(work, ['commit', '-q', '--allow-empty', '-m', commit.message ?? 'A change by hand'], who);
  await gitIn(work, ['push', '-q', 'origin', commit.branch]);
  return await gitIn(work, ['rev-parse', 'HEAD']);
}
