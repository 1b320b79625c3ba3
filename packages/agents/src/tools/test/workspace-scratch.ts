import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { IssueId, RepoId, UserId } from '@sluice/core/id';
import type { Workspace } from '@sluice/core/workspace';
import { localHosts, newId } from '@sluice/testing';
import { createWorkspaces } from '@sluice/workspace';

export const never = new AbortController().signal;

/** A real working tree on a local repository with one commit, for one test. */
export async function workspaceScratch(files: Readonly<Record<string, string>>) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-tools-')));
  await chmod(folder, 0o755);
  const origin = join(folder, 'origin');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(origin, path)), { recursive: true });
    await writeFile(join(origin, path), text);
  }
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: origin, env });
  git('init', '-q', '-b', 'main');
  git('add', '-A', '-f');
  git('commit', '-q', '-m', 'first');

  const workspaces = createWorkspaces({
    root: join(folder, 'data'),
    author: { name: 'Sluice', email: 'sluice@example.com' },
    allowLocalRepos: true,
    allowPrivateHosts: false,
    hosts: localHosts,
  });
  return {
    prepare: (): Promise<Workspace> =>
      workspaces.prepare({
        issueId: randomUUID() as IssueId,
        repo: { repoId: newId<RepoId>(), userId: newId<UserId>(), url: origin, token: async () => null },
        baseBranch: 'main',
        branch: 'sluice/tools',
        baseCommit: null,
        signal: never,
      }),
    async [Symbol.asyncDispose]() {
      await workspaces.settled();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
