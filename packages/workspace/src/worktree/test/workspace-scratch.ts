import { randomUUID } from 'node:crypto';
import type { IssueId, RepoId, UserId } from '@sluice/core/id';
import type { Checkpoint, Workspace, WorkspaceRequest } from '@sluice/core/workspace';
import { localHosts, newId } from '@sluice/testing';
import { SAMPLE_FILES, type Scratch, scratchFolder, scratchRepository } from '../../git/test/scratch.ts';
import type { WorkspacesOptions } from '../workspace-host.ts';
import { createWorkspaces, type HostWorkspaces } from '../workspaces.ts';

export const never = new AbortController().signal;

const AUTHOR = { name: 'Sluice', email: 'sluice@example.com' };

export interface WorkspaceScratch extends AsyncDisposable {
  readonly scratch: Scratch;
  /** A local repository with one commit on `main`. */
  readonly origin: string;
  readonly root: string;
  readonly workspaces: HostWorkspaces;
  request(changes?: Partial<WorkspaceRequest>): WorkspaceRequest;
  prepare(changes?: Partial<WorkspaceRequest>): Promise<Workspace>;
}

/** A repository and a folder of workspaces, for one test. */
export async function workspaceScratch(
  files: Readonly<Record<string, string>> = SAMPLE_FILES,
  options: Partial<WorkspacesOptions> = {},
): Promise<WorkspaceScratch> {
  const scratch = await scratchFolder();
  const origin = await scratchRepository(scratch.join('origin'), files);
  const root = scratch.join('data');
  const workspaces = createWorkspaces(workspacesOptions(root, options));
  const request = requester(origin);
  return {
    scratch,
    origin,
    root,
    workspaces,
    request,
    prepare: (changes) => workspaces.prepare(request(changes)),
    async [Symbol.asyncDispose]() {
      await workspaces.settled();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

export function workspacesOptions(root: string, options: Partial<WorkspacesOptions> = {}): WorkspacesOptions {
  return { root, author: AUTHOR, allowLocalRepos: true, allowPrivateHosts: false, hosts: localHosts, ...options };
}

/** Makes requests for one issue on one repository. */
export function requester(url: string): (changes?: Partial<WorkspaceRequest>) => WorkspaceRequest {
  const issueId = randomUUID() as IssueId;
  const repo = { repoId: newId<RepoId>(), userId: newId<UserId>(), url, token: async () => null };
  return (changes = {}) => ({
    issueId,
    repo,
    baseBranch: 'main',
    branch: `sluice/${(changes.issueId ?? issueId).slice(-8)}`,
    baseCommit: null,
    signal: never,
    ...changes,
  });
}

export function newIssueId(): IssueId {
  return randomUUID() as IssueId;
}

/** Commits what is in a tree, which must be something. */
export async function committed(workspace: Workspace, message = 'change'): Promise<Checkpoint> {
  const head = await workspace.commit({ message, signal: never });
  if (head === null) throw new Error('nothing was committed');
  return head;
}
