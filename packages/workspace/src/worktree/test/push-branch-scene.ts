import type { RepoAccess, Workspace } from '@sluice/core/workspace';
import { scriptedHosts } from '@sluice/testing';
import { type HttpOrigin, startHttpOrigin } from '../../git/test/http-origin.ts';
import { plainGit } from '../../git/test/scratch.ts';
import { createWorkspaces } from '../workspaces.ts';
import {
  committed as commitAll,
  newIssueId,
  requester,
  type WorkspaceScratch,
  workspacesOptions,
} from './workspace-scratch.ts';

export async function committed(workspace: Workspace, text: string, message = `change\n\n${text}`): Promise<string> {
  await workspace.files.write('src/add.js', text);
  return (await commitAll(workspace, message)).commit;
}

export interface HttpScratch {
  readonly origin: HttpOrigin;
  readonly repository: string;
  prepare(repo?: Partial<RepoAccess>): Promise<Workspace>;
}

/** Serves a bare copy of the origin over HTTP with a token, at a name that only the checked address leads to. */
export async function overHttp(it: WorkspaceScratch, before?: (url: string) => Promise<void>): Promise<HttpScratch> {
  const repository = it.scratch.join('served', 'r.git');
  await plainGit(it.scratch.path, 'clone', '-q', '--bare', it.origin, repository);
  const origin = await startHttpOrigin({
    root: it.scratch.join('served'),
    token: 'tok-1',
    ...(before === undefined ? {} : { before }),
  });
  const options = {
    allowPrivateHosts: true,
    allowInsecureHttp: true,
    allowLocalRepos: false,
    hosts: scriptedHosts(() => ['127.0.0.1']),
  };
  const workspaces = createWorkspaces(workspacesOptions(it.scratch.join('http'), options));
  const request = requester(`http://pinned.invalid:${origin.port}/r.git`);
  const { repo } = request();
  return {
    origin,
    repository,
    prepare: (more = {}) =>
      workspaces.prepare(request({ issueId: newIssueId(), repo: { ...repo, token: async () => 'tok-1', ...more } })),
  };
}
