import type { BaseBranches } from '@sluice/core/workspace';
import { plainGit, writeFiles } from '../../git/test/scratch.ts';
import { createBaseBranches } from '../base-branches.ts';
import { never, type WorkspaceScratch, workspacesOptions } from './workspace-scratch.ts';

export type Since = Parameters<BaseBranches['since']>[0];

/** Asks what the base has become since a commit. @param changes `root` is another host’s folder */
export function since(it: WorkspaceScratch, baseCommit: string, changes: Partial<Since> & { root?: string } = {}) {
  const { root = it.root, ...request } = changes;
  const { repo } = it.request();
  const bases = createBaseBranches(workspacesOptions(root));
  return bases.since({ repo, branch: 'main', baseCommit, signal: never, ...request });
}

export async function later(it: WorkspaceScratch, files: Record<string, string>): Promise<string> {
  await writeFiles(it.origin, files);
  await plainGit(it.origin, 'add', '-A');
  await plainGit(it.origin, 'commit', '-q', '-m', 'later');
  return plainGit(it.origin, 'rev-parse', 'HEAD');
}

/** The branch loses its commit and gets another one beside it. */
export async function forcePush(it: WorkspaceScratch): Promise<string> {
  await plainGit(it.origin, 'checkout', '-q', '--orphan', 'other');
  const tip = await later(it, { 'src/add.js': 'theirs\n' });
  await plainGit(it.origin, 'branch', '-M', 'main');
  return tip;
}
