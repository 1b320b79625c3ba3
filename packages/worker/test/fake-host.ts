import { createHash } from 'node:crypto';
import { AppError, type RepoId, type Workspace, type WorkspaceDiff, type Workspaces } from '@sluice/core';

type Tree = Map<string, string>;

/** What stands on the "disk" and at the "remote": outlives a worker that dies, like the real ones. */
export interface FakeHost {
  readonly workspaces: Workspaces;
  /** The files of each issue's working tree. */
  readonly trees: Map<string, Tree>;
  /** The remote's branches, each with the files of its commit. */
  readonly remote: Map<string, { head: string; files: Tree }>;
  readonly discarded: string[];
  /** Repositories that have a clone. */
  readonly clones: Set<RepoId>;
  /** The files of the base commit; a new tree starts with them. */
  readonly base: Tree;
}

const BASE_COMMIT = 'b'.repeat(40);

export function fakeHost(files: Record<string, string> = { 'src/sum.js': 'broken' }): FakeHost {
  const base: Tree = new Map(Object.entries(files));
  const trees = new Map<string, Tree>();
  const commits = new Map<string, Tree>();
  const remote = new Map<string, { head: string; files: Tree }>();
  const discarded: string[] = [];
  const clones = new Set<RepoId>();
  const treeIds = new WeakMap<Tree, string>();
  let treesMade = 0;

  function open(request: { issueId: string; branch: string; repoId: RepoId; treeId: string }): Workspace {
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
      baseCommit: BASE_COMMIT,
      files: {
        list: async () => [...tree().keys()].sort(),
        read: async (path) => {
          const text = tree().get(path);
          if (text === undefined) throw new AppError('tool_refused', { detail: `There is no file ${path}.` });
          return text;
        },
        write: async (path, text) => void tree().set(path, text),
        remove: async (path) => void tree().delete(path),
      },
      diff: async (signal) => {
        signal.throwIfAborted();
        return diffOf(base, tree());
      },
      blobs: async () => [...base.keys()].map((path) => ({ path, blob: hash(path), bytes: 1 })),
      async *readBlobs() {},
      commit: async ({ message, signal }) => {
        signal.throwIfAborted();
        if (diffOf(base, tree()).files.length === 0) return null;
        const head = hash(message + JSON.stringify([...tree()].sort()));
        commits.set(head, new Map(tree()));
        return head;
      },
      reset: async (signal) => {
        signal.throwIfAborted();
        fill(base);
      },
      restore: async (head, signal) => {
        signal.throwIfAborted();
        const files = commits.get(head);
        if (files === undefined) throw new AppError('git_failed', { detail: 'There is no such commit.' });
        fill(files);
      },
      push: async (head, signal) => {
        signal.throwIfAborted();
        const there = remote.get(request.branch);
        if (there !== undefined && there.head !== head) throw new AppError('branch_taken');
        remote.set(request.branch, { head, files: new Map(commits.get(head)) });
      },
    };
  }

  const workspaces: Workspaces = {
    prepare: async (request) => {
      request.signal.throwIfAborted();
      clones.add(request.repo.repoId);
      let tree = trees.get(request.issueId);
      if (tree === undefined) {
        tree = new Map(base);
        trees.set(request.issueId, tree);
        treesMade += 1;
        treeIds.set(tree, `tree-${treesMade}`);
      }
      const { issueId, branch, repo } = request;
      return open({ issueId, branch, repoId: repo.repoId, treeId: treeIds.get(tree) ?? '' });
    },
    discard: async (issueId) => {
      if (trees.delete(issueId)) discarded.push(issueId);
    },
    list: async () => [...trees.keys()],
    clones: async () => [...clones],
    forget: async (repoId) => void clones.delete(repoId),
  };
  return { workspaces, trees, clones, remote, discarded, base };
}

function diffOf(base: Tree, tree: Tree): WorkspaceDiff {
  const paths = [...new Set([...base.keys(), ...tree.keys()])].filter((path) => base.get(path) !== tree.get(path));
  return {
    base_commit: BASE_COMMIT,
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
