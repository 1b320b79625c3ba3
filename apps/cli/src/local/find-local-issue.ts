import type { SluiceClient } from '@sluice/client';
import { type Named, onlyMatch } from '../session/find-by-suffix.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { dataDirFor, hasIssues, localDataDirs } from './local-data.ts';
import { openLocalFolder } from './open-local-folder.ts';
import { repoAddress } from './repo-address.ts';

/** Where an issue of a local run is. */
export interface FoundIssue {
  readonly dataDir: string;
  readonly id: string;
}

type Issues = Awaited<ReturnType<SluiceClient['issues']['list']['query']>>['items'];
type Repos = Awaited<ReturnType<SluiceClient['repos']['list']['query']>>['items'];

export interface FolderContents {
  readonly dataDir: string;
  readonly issues: Issues;
  readonly repos: Repos;
}

/** The issues of every folder, the folder used last first. `onUnreadable` learns of a folder that cannot be opened. */
export async function* localIssues(
  onUnreadable: (dataDir: string, error: unknown) => void,
): AsyncGenerator<FolderContents> {
  for (const dataDir of await localDataDirs()) {
    try {
      yield await contentsOf(dataDir);
    } catch (error) {
      onUnreadable(dataDir, error);
    }
  }
}

async function contentsOf(dataDir: string): Promise<FolderContents> {
  await using folder = await openLocalFolder(dataDir, { works: false, message: () => undefined });
  const { repos, issues } = folder.client;
  const found: FolderContents = {
    dataDir,
    issues: await allItems((cursor) => issues.list.query({ limit: 100, ...cursor })),
    repos: await allItems((cursor) => repos.list.query({ limit: 100, ...cursor })),
  };
  return found;
}

type Page<T> = { readonly items: readonly T[]; readonly next_cursor: string | null };

async function allItems<T>(read: (cursor: { cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<T> = await read(cursor === undefined ? {} : { cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

/** Finds an issue by its id, or by an ending of the id that is unique among all local runs. */
export async function findLocalIssue(
  given: string,
  onUnreadable: (dataDir: string, error: unknown) => void,
): Promise<FoundIssue> {
  const found: (Named & FoundIssue)[] = [];
  if (/^[0-9a-f-]+$/i.test(given)) {
    for await (const { dataDir, issues } of localIssues(onUnreadable)) {
      for (const { id, title } of issues)
        if (id.endsWith(given.toLowerCase())) found.push({ id, name: title, dataDir });
    }
  }
  const id = onlyMatch(found, { given, what: 'issue on this machine', list: 'list' });
  return found.find((one) => one.id === id) as FoundIssue;
}

/**
 * Finds the active issue of a repository, or the last one.
 *
 * @param needsActive whether one that has ended is of no use
 */
export async function issueOfRepo(repo: string, { needsActive }: { needsActive: boolean }): Promise<FoundIssue> {
  const address = await repoAddress(repo);
  const dataDir = dataDirFor(address);
  if (hasIssues(dataDir)) {
    const { repos, issues } = await contentsOf(dataDir);
    const known = repos.find(({ url }) => url === address);
    const last = issues.find(({ repo_id }) => repo_id === known?.id)?.id ?? null;
    const id = known?.active_issue_id ?? (needsActive ? null : last);
    if (id !== null) return { dataDir, id };
  }
  const what = needsActive ? 'No issue is in progress on' : 'There is no local issue of';
  throw new CommandError(
    exitCode.notFound,
    `${what} ${address}. List the issues of every repository with: sluice list`,
  );
}
