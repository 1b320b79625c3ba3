import type { EncryptedToken, TokenOwner } from '@sluice/core/account';
import type { Issue } from '@sluice/core/issue';
import type { Workspace, WorkspaceRequest } from '@sluice/core/workspace';
import { anIssue, aRepo } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import type { IssueExecution } from '../execution/issue-execution.ts';
import { openWorkspace } from './open-workspace.ts';

const encryptedToken: EncryptedToken = { encrypted: 'k1:c2VhbGVk', nonce: 'bm9uY2U=' };

/** Opens the tree of an issue. Returns the request to the host and each decryption of the token. */
async function asked(issue: Issue, accessToken: EncryptedToken | null = null) {
  const requests: WorkspaceRequest[] = [];
  const opened: [owner: TokenOwner, encryptedToken: EncryptedToken][] = [];
  const repo = aRepo({ accessToken });
  await openWorkspace(
    {
      workspaces: {
        prepare: async (request) => {
          requests.push(request);
          return {} as Workspace;
        },
        hold: async () => () => undefined,
        discard: async () => undefined,
        list: async () => [],
        clones: async () => [],
        reclaim: async () => undefined,
        isSpaceLow: async () => false,
        forget: async () => undefined,
      },
      cipher: {
        encrypt: () => encryptedToken,
        decrypt: (owner, token) => {
          opened.push([owner, token]);
          return 'secret';
        },
      },
      codehostTokens: null,
    },
    repo,
    { execution: { issue: () => issue } as IssueExecution, signal: new AbortController().signal },
  );
  return { request: requests[0], opened, repo };
}

const PREPARED = {
  tree: 't',
  setup_command: null,
  test_command: null,
  setup_source: null,
  test_source: null,
  prepared_with: null,
  base_test: null,
};

describe('the working tree of an issue', () => {
  it('starts from the base branch, on a branch made from the issue', async () => {
    const issue = anIssue({ title: 'Sum is off', baseBranch: 'develop' });
    const { request } = await asked(issue);
    expect(request).toMatchObject({ baseBranch: 'develop', baseCommit: null });
    expect(request?.branch).toBe(`sluice/${issue.id.slice(-8)}-sum-is-off`);
  });

  it('uses the stored branch and commit from then on', async () => {
    const { pipeline } = anIssue();
    const { request } = await asked(
      anIssue({
        title: 'renamed',
        pipeline: { ...pipeline, branch: 'sluice/1-first-title', prepared: { ...PREPARED, base_commit: 'abc' } },
      }),
    );
    expect(request).toMatchObject({ branch: 'sluice/1-first-title', baseCommit: 'abc' });
  });

  it('opens the token at the moment of a call, each time, and keeps it nowhere', async () => {
    const { request, opened, repo } = await asked(anIssue(), encryptedToken);
    expect(opened).toEqual([]);
    expect(JSON.stringify(request)).not.toContain('secret');
    const { signal } = new AbortController();
    expect([await request?.repo.token(signal), await request?.repo.token(signal)]).toEqual(['secret', 'secret']);
    expect(opened).toEqual([
      [{ kind: 'repo_access_token', id: repo.id, userId: repo.userId }, encryptedToken],
      [{ kind: 'repo_access_token', id: repo.id, userId: repo.userId }, encryptedToken],
    ]);
  });

  it('has no token where the repository has none', async () => {
    const { request, opened } = await asked(anIssue());
    expect(await request?.repo.token(new AbortController().signal)).toBeNull();
    expect(opened).toEqual([]);
  });
});
