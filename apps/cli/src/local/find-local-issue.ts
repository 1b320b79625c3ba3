import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { readIssues } from '@sluice/server/read-issues';
import { type Named, onlyMatch } from '../session/find-by-suffix.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { readAccount } from './local-account.ts';
import { accountFile, dataDirFor, hasIssues, localDataDirs, withAdvice } from './local-data.ts';
import { repoAddress } from './repo-address.ts';

/** Where an issue of a local run is. */
export interface FoundIssue {
  readonly dataDir: string;
  readonly id: string;
}

/** What a data folder holds. */
export interface FolderContents {
  readonly dataDir: string;
  /** Newest first. */
  readonly issues: readonly IssueWire[];
  readonly repos: readonly RepoWire[];
}

/** The issues of every folder, the folder used last first. `onUnreadable` learns of a folder that cannot be read. */
export async function localIssues(
  onUnreadable: (dataDir: string, error: unknown) => void,
): Promise<readonly FolderContents[]> {
  const found: FolderContents[] = [];
  for (const dataDir of await localDataDirs()) {
    try {
      found.push(await contentsOf(dataDir));
    } catch (error) {
      onUnreadable(dataDir, error);
    }
  }
  return found;
}

/** Read from the database itself: a service in each folder would take a second to start. */
async function contentsOf(dataDir: string): Promise<FolderContents> {
  const account = await readAccount(accountFile(dataDir));
  if (account === null) return { dataDir, issues: [], repos: [] };
  try {
    return { dataDir, ...(await readIssues(dataDir, account.email)) };
  } catch (error) {
    throw withAdvice(error);
  }
}

/** Finds an issue by its id, or by an ending of the id that is unique among all local runs. */
export async function findLocalIssue(
  given: string,
  onUnreadable: (dataDir: string, error: unknown) => void,
): Promise<FoundIssue> {
  const isPossible = /^[0-9a-f-]+$/i.test(given);
  const folders = isPossible ? await localIssues(onUnreadable) : [];
  const found: (Named & FoundIssue)[] = folders.flatMap(({ dataDir, issues }) =>
    issues.filter(({ id }) => id.endsWith(given.toLowerCase())).map(({ id, title }) => ({ id, name: title, dataDir })),
  );
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
    `${what} ${address}. List the issues of every repository with: ${ownCommand()} list`,
  );
}
