import type { APIRequestContext } from '@playwright/test';
import { expect } from './console-test.ts';
import { FIX } from './scratch-repo.ts';

interface StartedIssue {
  readonly id: string;
  readonly repoId: string;
}

/** Adds a local repository and creates an issue in it, which begins at once, over the API. */
export async function startIssue(
  request: APIRequestContext,
  { url, path, body = FIX }: { readonly url: string; readonly path: string; readonly body?: string },
): Promise<StartedIssue> {
  const repo = await post(request, `${url}/api/repos`, { url: path });
  const issue = await post(request, `${url}/api/issues`, { repo_id: repo.id, title: 'The value is broken', body });
  return { id: issue.id, repoId: repo.id };
}

async function post(request: APIRequestContext, url: string, data: object): Promise<{ readonly id: string }> {
  const answer = await request.post(url, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return await answer.json();
}
