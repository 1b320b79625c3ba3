import type { APIRequestContext } from '@playwright/test';
import { apiUser } from './api-user.ts';
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
  const user = apiUser(request, url);
  const repo = await user.post('/repos', { url: path });
  const issue = await user.post('/issues', { repo_id: repo.id, title: 'The value is broken', body });
  return { id: issue.id, repoId: repo.id };
}
