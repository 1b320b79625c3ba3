import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runGit } from '../repo/task-repo.ts';
import { UsageError } from '../usage/usage-error.ts';

/** Where a commit is fetched from and kept. */
export interface CommitStore {
  /** Holds a clone of each repository as `owner__name`, made by this bench or by a person. */
  readonly clones: string;
  /** The address below which the repositories are: `https://github.com`. */
  readonly origin: string;
  readonly signal: AbortSignal;
}

const FETCH_MS = 600_000; // two commits of the largest repository in the list, over a slow line
const DEPTH = 2; // the commit and its base

/**
 * Makes sure that the clone of a repository holds a commit and its parent, and fetches no more of its history than those two.
 *
 * @returns the clone
 * @throws UsageError that says what cannot be had, and what to do
 */
export async function fetchCommit(repository: string, commit: string, store: CommitStore): Promise<string> {
  const clone = join(store.clones, repository.replace('/', '__'));
  if (holds(clone, `${commit}^`)) return clone;
  const url = `${store.origin}/${repository}.git`;
  const isNew = !existsSync(clone);
  if (isNew) {
    await mkdir(clone, { recursive: true });
    runGit(clone, 'init', '-q', '--bare');
  } else if (runGit(clone, 'for-each-ref', '--count=1') !== '') {
    // Only a person's own clone has branches. Fetching two commits of it would cut its history off.
    throw new UsageError(
      `${clone} does not hold the commit ${commit} and its parent. Fetch it there (git -C ${clone} fetch ${url} ${commit}), or move the clone away.`,
    );
  }
  try {
    // In the environment of this process, which names a proxy of the network. Nothing asks for a name: all are public.
    await promisify(execFile)(
      'git',
      ['-c', 'core.askPass=true', 'fetch', '--quiet', '--no-tags', `--depth=${DEPTH}`, url, commit],
      { cwd: clone, timeout: FETCH_MS, signal: store.signal },
    );
  } catch (error) {
    // A person may be about to clone it there.
    if (isNew) await rm(clone, { recursive: true, force: true });
    store.signal.throwIfAborted();
    throw new UsageError(faultOf({ repository, commit, url, clone }, error));
  }
  return clone;
}

function holds(clone: string, commit: string): boolean {
  if (!existsSync(clone)) return false;
  try {
    runGit(clone, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

interface Fetch {
  readonly repository: string;
  readonly commit: string;
  readonly url: string;
  readonly clone: string;
}

function faultOf({ repository, commit, url, clone }: Fetch, error: unknown): string {
  const { stderr = '', killed = false } = error as { readonly stderr?: string; readonly killed?: boolean };
  const [first = ''] = stderr.trim().split('\n'); // what follows is general advice
  const why = killed ? `git did not end within ${FETCH_MS / 60_000} minutes` : first || String(error);
  if (/not our ref|couldn't find remote ref|unadvertised object/.test(why))
    return `${repository} has no commit ${commit} any more (${url}: ${why}). Leave it out with --only, or name another commit in bench/agents/src/ready/ready-list.ts.`;
  if (
    /not found|does not exist|not appear to be a git repository|could not read Username|Authentication failed/i.test(
      why,
    )
  )
    return `There is no public repository at ${url} (${why}). If it has moved, clone it to ${clone}; otherwise leave it out with --only.`;
  return `${repository} could not be fetched from ${url}: ${why.replace(/\.$/, '')}. Check the network and try again, or clone it to ${clone}.`;
}
