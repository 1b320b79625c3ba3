import { createHash } from 'node:crypto';
import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import {
  type AbsentContent,
  type BaseBranches,
  type Checkpoint,
  isLfsPointer,
  type LfsChange,
  NO_PATHS,
  type Workspace,
  type WorkspaceDiff,
  type Workspaces,
} from '@sluice/core/workspace';
import { baseFilesOf } from '@sluice/testing';

type Tree = Map<string, string>;

/** The "disk" and the "remote": they outlive a worker that dies, like the real ones. */
export interface FakeHost {
  readonly workspaces: Workspaces;
  readonly bases: BaseBranches;
  /** The files of each issue's working tree. */
  readonly trees: Map<string, Tree>;
  /** The remote's branches, each with the files of its commit. */
  readonly remote: Map<string, { head: string; files: Tree }>;
  readonly discarded: string[];
  /** Repositories that have a clone. */
  readonly clones: Set<RepoId>;
  /** The commits that this host has. Another host has those of the remote only: clear it. */
  readonly commits: Map<string, Tree>;
  /** Each commit that a checkpoint was restored from, and where it was taken from. */
  readonly restored: { commit: string; from: 'commit' | 'patch' }[];
  /** Whether a tree is small enough to be saved. */
  keepsCheckpoints: boolean;
  /** The remote is unreachable for `bases`. */
  isRemoteAway: boolean;
  /** The disk is down to its reserve. */
  isSpaceLow: boolean;
  /** Paths that Git LFS stores. Writing there is not refused: as by a command, only the commit is. */
  readonly lfs: Set<string>;
  /** The content that each tree lacks, and the changes of each commit to Git LFS. */
  absent: AbsentContent;
  lfsChange: LfsChange;
  /** Removes a working tree, and with `commits` the clone too: as on a host that never had them. */
  lose(issueId: string, what?: 'commits'): void;
  /** Commits to the base branch at the remote. Returns the new tip. */
  moveBase(files: Record<string, string>): string;
}

let hosts = 0;

export const BASE_COMMIT = 'b'.repeat(40);

export function fakeHost(files: Record<string, string> = { 'src/sum.js': 'broken' }): FakeHost {
  const bases = new Map<string, Tree>([[BASE_COMMIT, new Map(Object.entries(files))]]);
  let tip = BASE_COMMIT;
  const trees = new Map<string, Tree>();
  const commits = new Map<string, Tree>();
  const restored: FakeHost['restored'] = [];
  const remote = new Map<string, { head: string; files: Tree }>();
  const discarded: string[] = [];
  const clones = new Set<RepoId>();
  const treeIds = new WeakMap<Tree, { id: string; base: string }>();
  hosts += 1;
  const name = `host-${hosts}`;
  let treesMade = 0;

  function baseOf(commit: string): Tree {
    const files = bases.get(commit);
    if (files === undefined) throw new AppError('base_branch_missing');
    return files;
  }

  function kept(files: Tree, message: string): Checkpoint {
    const all = [...files].sort();
    const commit = hash(message + JSON.stringify(all));
    commits.set(commit, new Map(files));
    return { commit, object: message, patch: new TextEncoder().encode(JSON.stringify(all)) };
  }

  function open(request: {
    issueId: string;
    branch: string;
    repoId: RepoId;
    treeId: string;
    baseCommit: string;
  }): Workspace {
    const base = baseOf(request.baseCommit);
    const tree = () => {
      const files = trees.get(request.issueId);
      if (files === undefined) throw new AppError('git_failed', { detail: 'The working tree is gone.' });
      return files;
    };
    const fill = (files: Tree) => {
      const target = tree();
      target.clear();
      for (const [path, text] of files) target.set(path, text);
    };
    return {
      issueId: request.issueId as Workspace['issueId'],
      repoId: request.repoId,
      treeId: request.treeId,
      root: `/trees/${request.issueId}`,
      gitDir: `/trees/${request.issueId}.git`,
      branch: request.branch,
      baseCommit: request.baseCommit,
      merge: null,
      files: {
        list: async () => [...tree().keys()].sort(),
        ignored: async () => [],
        storedInLfs: async (paths) => paths.filter((path) => host.lfs.has(path)),
        read: async (path) => {
          const text = tree().get(path);
          if (text === undefined) throw new AppError('tool_refused', { detail: `There is no file ${path}.` });
          return text;
        },
        write: async (path, text) => void tree().set(path, text),
        remove: async (path) => void tree().delete(path),
        grep: async () => ({ lines: [], truncated: false }),
      },
      baseFiles: baseFilesOf(base),
      diff: async (signal) => {
        signal.throwIfAborted();
        return diffOf(request.baseCommit, base, tree());
      },
      absent: async () => host.absent,
      lfsChange: async () => host.lfsChange,
      blobs: async () => [...base.keys()].map((path) => ({ path, blob: hash(path), bytes: 1 })),
      async *readBlobs(blobs) {
        for (const [path, text] of base) {
          if (blobs.includes(hash(path))) yield { blob: hash(path), content: Buffer.from(text) };
        }
      },
      commit: async ({ message, signal }) => {
        signal.throwIfAborted();
        const { files } = diffOf(request.baseCommit, base, tree());
        if (files.length === 0) return null;
        const raw = files.filter(
          ({ path }) => host.lfs.has(path) && !isLfsPointer(Buffer.from(tree().get(path) ?? '')),
        );
        if (raw.length > 0)
          throw new AppError('lfs_content_refused', { detail: `Refused: ${raw.map(({ path }) => path).join()}.` });
        return kept(tree(), message);
      },
      checkpoint: async (signal) => {
        signal.throwIfAborted();
        return host.keepsCheckpoints ? kept(tree(), 'as it stands') : null;
      },
      reset: async (signal) => {
        signal.throwIfAborted();
        fill(base);
      },
      restore: async ({ commit, object, patch }, signal) => {
        signal.throwIfAborted();
        const here = commits.get(commit);
        if (here === undefined && object === '') throw new AppError('workspace_lost', { detail: 'It was not kept.' });
        restored.push({ commit, from: here === undefined ? 'patch' : 'commit' });
        fill(here ?? new Map(JSON.parse(new TextDecoder().decode(patch)) as [string, string][]));
        commits.set(commit, new Map(tree()));
      },
      mix: async ({ commit, from, paths }, signal) => {
        signal.throwIfAborted();
        const of = (id: string) => commits.get(id) ?? baseOf(id);
        fill(of(commit));
        for (const path of paths) {
          const text = of(from).get(path);
          if (text === undefined) tree().delete(path);
          else tree().set(path, text);
        }
      },
      push: async (head, signal, beforeWrite) => {
        signal.throwIfAborted();
        await beforeWrite?.();
        const there = remote.get(request.branch);
        if (there !== undefined && there.head !== head) throw new AppError('branch_taken');
        const pushed = commits.get(head);
        if (pushed === undefined) throw new AppError('git_failed', { detail: 'There is no such commit.' });
        remote.set(request.branch, { head, files: new Map(pushed) });
      },
    };
  }

  const workspaces: Workspaces = {
    prepare: async (request) => {
      request.signal.throwIfAborted();
      clones.add(request.repo.repoId);
      const baseCommit = request.baseCommit ?? tip;
      let tree = trees.get(request.issueId);
      if (tree === undefined || treeIds.get(tree)?.base !== baseCommit) {
        tree = new Map(baseOf(baseCommit));
        trees.set(request.issueId, tree);
        treesMade += 1;
        treeIds.set(tree, { id: `${name} tree-${treesMade}`, base: baseCommit });
      }
      const { issueId, branch, repo } = request;
      return open({ issueId, branch, repoId: repo.repoId, treeId: treeIds.get(tree)?.id ?? '', baseCommit });
    },
    hold: async () => () => undefined,
    discard: async (issueId) => {
      if (trees.delete(issueId)) discarded.push(issueId);
    },
    reclaim: async (issueId) => void trees.delete(issueId),
    isSpaceLow: async () => host.isSpaceLow,
    list: async () => [...trees.keys()],
    clones: async () => [...clones],
    forget: async (repoId) => void clones.delete(repoId),
  };
  const host: FakeHost = {
    workspaces,
    bases: {
      since: async ({ baseCommit, signal }) => {
        signal.throwIfAborted();
        if (host.isRemoteAway) throw new AppError('remote_unreachable');
        const changed = diffOf(baseCommit, baseOf(baseCommit), baseOf(tip)).files.map(({ path }) => path);
        return { tip, changed };
      },
    },
    trees,
    clones,
    remote,
    discarded,
    commits,
    restored,
    keepsCheckpoints: true,
    isRemoteAway: false,
    isSpaceLow: false,
    lfs: new Set(),
    absent: { usesLfs: false, lfsFiles: NO_PATHS, submodules: NO_PATHS },
    lfsChange: { newPointers: NO_PATHS, released: NO_PATHS, attributes: NO_PATHS },
    lose(issueId, what) {
      if (!trees.delete(issueId)) throw new Error('there is no tree to lose');
      if (what === 'commits') commits.clear();
    },
    moveBase(files) {
      const moved = new Map([...baseOf(tip), ...Object.entries(files)]);
      tip = hash(JSON.stringify([...moved]));
      bases.set(tip, moved);
      return tip;
    },
  };
  return host;
}

function diffOf(baseCommit: string, base: Tree, tree: Tree): WorkspaceDiff {
  const paths = [...new Set([...base.keys(), ...tree.keys()])].filter((path) => base.get(path) !== tree.get(path));
  return {
    base_commit: baseCommit,
    head_commit: null,
    files: paths.sort().map((path) => ({
      path,
      additions: tree.has(path) ? 1 : 0,
      deletions: base.has(path) ? 1 : 0,
    })),
    diff: paths.map((path) => `${path}: ${tree.get(path) ?? '(gone)'}\n`).join(''),
  };
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
