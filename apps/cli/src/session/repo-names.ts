import type { SluiceClient } from '@sluice/client';
import { allRepos } from './find-by-suffix.ts';

/** The names of these repositories by id; a repository that was removed has none. */
export async function repoNames(
  client: Pick<SluiceClient, 'repos'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ofIssues = new Set(ids);
  const names = new Map<string, string>();
  if (ofIssues.size === 0) return names;
  for await (const { id, name } of allRepos(client)) {
    if (ofIssues.has(id)) names.set(id, name);
    if (names.size === ofIssues.size) break;
  }
  return names;
}
