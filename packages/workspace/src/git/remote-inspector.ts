import { AppError } from '@sluice/core/error';
import type { InspectedRemote, RemoteFacts, RemoteInspector } from '@sluice/core/workspace';
import { createGit, type GitOptions } from './git.ts';
import { LISTING_MEMORY_BYTES } from './git-limits.ts';
import { type RemotePolicy, reachRemote } from './reach-remote.ts';
import { packProgram } from './reached-remote.ts';

export interface RemoteInspectorOptions extends RemotePolicy {
  /** How long a remote may take to list its branches; default 30 000. */
  readonly timeoutMs?: number;
  /** Where `git` is looked for, as in `PATH`. */
  readonly searchPath?: string;
  /** Holds all git processes together. */
  readonly gitGroup?: GitOptions['group'];
}

const DEFAULT_TIMEOUT_MS = 30_000;
const SHA1_LENGTH = 40;
const LISTING_BYTES = 8 * 1024 * 1024; // some 100 000 branches, which take a tenth of a second to read

/** Looks at remotes with `git ls-remote`, at the addresses that were checked. */
export function createRemoteInspector(options: RemoteInspectorOptions): RemoteInspector {
  const git = createGit({ searchPath: options.searchPath, group: options.gitGroup });
  const list = async ({ token, ...of }: InspectedRemote, signal: AbortSignal): Promise<RemoteFacts> => {
    const remote = await reachRemote(options, of, signal);
    const program = packProgram(remote, 'upload-pack');
    const { stdout } = await git.run(['ls-remote', '--symref', ...program, '--', remote.url, 'HEAD', 'refs/heads/*'], {
      remote,
      token,
      signal,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxOutputBytes: LISTING_BYTES,
      memoryBytes: LISTING_MEMORY_BYTES,
    });
    const { defaultBranch, branches } = readListing(stdout.toString('utf8'));
    return { url: remote.url, canonicalRemote: remote.canonical, name: remote.name, defaultBranch, branches };
  };
  return {
    async inspect(remote, signal) {
      try {
        return await list(remote, signal);
      } catch (error) {
        if (error instanceof AppError && error.code !== 'remote_refused') throw unreachable(error);
        throw error;
      }
    },
  };
}

/** Reads `git ls-remote --symref`: the branches, and the one that HEAD names. */
function readListing(listing: string): { defaultBranch: string; branches: string[] } {
  const tips = new Map<string, string>();
  let head: { branch?: string; commit?: string } = {};
  for (const line of listing.split('\n')) {
    const [value = '', ref = ''] = line.split('\t');
    if (ref.startsWith('refs/heads/')) tips.set(ref.slice('refs/heads/'.length), value);
    else if (ref === 'HEAD' && value.startsWith('ref: refs/heads/')) {
      head = { ...head, branch: value.slice('ref: refs/heads/'.length) };
    } else if (ref === 'HEAD') head = { ...head, commit: value };
  }
  const branches = [...tips.keys()];
  const [first] = branches;
  if (first === undefined) {
    throw new AppError('repo_unreachable', { detail: 'The repository is empty: push a first commit to it.' });
  }
  if ((tips.get(first) ?? '').length > SHA1_LENGTH) {
    // The clone is made before anybody asked the remote for its format, and git cannot fetch across formats.
    throw new AppError('repo_unreachable', {
      detail: 'The repository names its objects by SHA-256, which is not supported.',
    });
  }
  if (head.branch !== undefined && tips.has(head.branch)) return { defaultBranch: head.branch, branches };
  // HEAD is detached, or names a branch that was never made.
  const usual = ['main', 'master'].filter((name) => tips.has(name));
  const [same] = [...usual, ...branches].filter((name) => tips.get(name) === head.commit);
  return { defaultBranch: same ?? usual[0] ?? first, branches };
}

function unreachable(error: AppError): AppError {
  if (error.code === 'repo_unreachable') return error;
  const detail = error.message;
  return new AppError('repo_unreachable', { detail, errors: [{ path: 'url', message: detail }] }, { cause: error });
}
