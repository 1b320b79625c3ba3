import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import {
  type BaseBranches,
  type Checkpoint,
  NO_PATHS,
  type Sandbox,
  type Workspace,
  type WorkspaceDiff,
  type WorkspaceRequest,
  type Workspaces,
} from '@sluice/core/workspace';
import { digest } from './digest.ts';
import type { Outside, Tree } from './outside.ts';
import type { SimProcess } from './sim-process.ts';
import { createTreeLocks, type TreeLocks } from './tree-locks.ts';

interface DiskTree {
  readonly id: string;
  readonly base: string;
  files: Map<string, string>;
}

/** The disk of one host: it outlives the processes on it. */
export interface Disk {
  readonly name: string;
  readonly trees: Map<string, DiskTree>;
  readonly clones: Set<RepoId>;
  /** Commits that were made on this host. */
  readonly commits: Map<string, Tree>;
  readonly locks: TreeLocks;
  treesMade: number;
}

export function createDisk(name: string): Disk {
  return { name, trees: new Map(), clones: new Set(), commits: new Map(), locks: createTreeLocks(), treesMade: 0 };
}

/** The working trees and the sandbox of a host, as one process uses them. */
export function diskFor(process: SimProcess, disk: Disk, outside: Outside) {
  const filesAt = (commit: string): Tree => {
    const files = outside.commits.get(commit);
    if (files === undefined) throw new AppError('base_branch_missing');
    return files;
  };

  function keep(files: Tree, message: string): Checkpoint {
    const all = [...files].sort();
    const commit = digest(message, JSON.stringify(all));
    disk.commits.set(commit, new Map(files));
    return { commit, object: message, patch: new TextEncoder().encode(JSON.stringify(all)) };
  }

  const workspaces: Workspaces = {
    async prepare(request) {
      disk.clones.add(request.repo.repoId);
      const base = request.baseCommit ?? outside.repo(remoteOf(request)).tip;
      let tree = disk.trees.get(request.issueId);
      if (tree === undefined || tree.base !== base) {
        disk.treesMade += 1;
        tree = { id: `${disk.name} ${disk.treesMade}`, base, files: new Map(filesAt(base)) };
        disk.trees.set(request.issueId, tree);
      }
      return open(request, tree);
    },
    hold: (issueId, signal) => disk.locks.hold(process, issueId, signal),
    discard: async (issueId) => void disk.trees.delete(issueId),
    reclaim: async (issueId) => void disk.trees.delete(issueId),
    isSpaceLow: async () => false,
    list: async () => [...disk.trees.keys()],
    clones: async () => [...disk.clones],
    forget: async (repoId) => void disk.clones.delete(repoId),
  };

  /** Has each call of a port be a use of the tree. Outside the parking of calls: a parked call is not its caller's. */
  function using<T extends object>(port: T, issueOf: (args: readonly unknown[]) => string): T {
    return new Proxy(port, {
      get(target, key, receiver) {
        const member: unknown = Reflect.get(target, key, receiver);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          const wrong = disk.locks.use(process, issueOf(args));
          if (wrong !== null) outside.report(wrong);
          return member.apply(target, args);
        };
      },
    });
  }

  function open(request: WorkspaceRequest, { id, base }: DiskTree): Workspace {
    const { issueId, branch } = request;
    const remote = remoteOf(request);
    const tree = (): DiskTree => {
      const found = disk.trees.get(issueId);
      if (found === undefined) throw new AppError('git_failed', { detail: 'The working tree is gone.' });
      return found;
    };
    const changes = () => diffOf(base, filesAt(base), tree().files);
    const acts: Omit<
      Workspace,
      | 'issueId'
      | 'repoId'
      | 'treeId'
      | 'root'
      | 'gitDir'
      | 'branch'
      | 'baseCommit'
      | 'merge'
      | 'files'
      | 'baseFiles'
      | 'push'
    > = {
      diff: async () => changes(),
      absent: async () => ({ usesLfs: false, lfsFiles: NO_PATHS, submodules: NO_PATHS }),
      lfsChange: async () => ({ newPointers: NO_PATHS, released: NO_PATHS, attributes: NO_PATHS }),
      blobs: async () => [...filesAt(base).keys()].map((path) => ({ path, blob: digest(path), bytes: 1 })),
      async *readBlobs() {},
      commit: async ({ message }) => (changes().files.length === 0 ? null : keep(tree().files, message)),
      checkpoint: async () => keep(tree().files, 'as it stands'),
      async reset() {
        tree().files = new Map(filesAt(base));
      },
      async restore({ commit, object, patch }) {
        const here = disk.commits.get(commit);
        if (here === undefined && object === '') throw new AppError('workspace_lost', { detail: 'It was not kept.' });
        const files = here ?? new Map(JSON.parse(new TextDecoder().decode(patch)) as [string, string][]);
        tree().files = new Map(files);
        disk.commits.set(commit, new Map(files));
      },
      async mix({ commit, from, paths }) {
        const of = (id: string) => disk.commits.get(id) ?? filesAt(id);
        const taken = paths.flatMap((path) => {
          const text = of(from).get(path);
          return text === undefined ? [] : [[path, text] as const];
        });
        tree().files = new Map([...[...of(commit)].filter(([path]) => !paths.includes(path)), ...taken]);
      },
    };
    const files: Workspace['files'] = {
      list: async () => [...tree().files.keys()].sort(),
      ignored: async () => [],
      storedInLfs: async () => [],
      async read(path) {
        const text = tree().files.get(path);
        if (text === undefined) throw new AppError('tool_refused', { detail: `There is no file ${path}.` });
        return text;
      },
      write: async (path, text) => void tree().files.set(path, text),
      remove: async (path) => void tree().files.delete(path),
      grep: async () => ({ lines: [], truncated: false }),
    };
    const ofIssue = () => issueId;
    const calls = { writes: /commit|checkpoint|reset|restore|mix/, quiet: /absent|lfsChange|blobs|readBlobs/ };
    const used = using(process.wrap('tree', acts, calls), ofIssue);
    return {
      diff: used.diff,
      absent: used.absent,
      lfsChange: used.lfsChange,
      blobs: used.blobs,
      readBlobs: acts.readBlobs,
      commit: used.commit,
      checkpoint: used.checkpoint,
      reset: used.reset,
      restore: used.restore,
      mix: used.mix,
      issueId,
      repoId: request.repo.repoId,
      treeId: id,
      root: `/trees/${issueId}`,
      gitDir: `/trees/${issueId}.git`,
      branch,
      baseCommit: base,
      merge: null,
      files: using(process.wrap('files', files, { writes: /write|remove/ }), ofIssue),
      baseFiles: { find: async () => [], read: async () => new Map() }, // scripted agents ask for no advice
      async push(head, signal, beforeWrite) {
        const { branches } = outside.repo(remote);
        const lost = 'remote_unreachable';
        const seen = await outside.ask(process, { label: 'ls-remote', signal, lost }, () => branches.get(branch)?.head);
        if (seen === head) return;
        if (seen !== undefined) throw new AppError('branch_taken');
        const pushed = disk.commits.get(head);
        if (pushed === undefined) throw new AppError('git_failed', { detail: 'There is no such commit.' });
        await beforeWrite?.();
        const sentAt = outside.now();
        await outside.send({ process, what: 'push', issueId }, { signal, lost }, () => {
          // With a lease on what was seen: nothing was there.
          if (branches.get(branch) !== undefined && branches.get(branch)?.head !== head)
            throw new AppError('branch_taken');
          if (branches.get(branch) === undefined) outside.refuseRevival(remote, branch, sentAt);
          branches.set(branch, { head, files: new Map(pushed) });
        });
      },
    };
  }

  const bases: BaseBranches = {
    since: async ({ repo, baseCommit, signal }) =>
      await outside.ask(process, { label: 'since', signal, lost: 'remote_unreachable' }, () => {
        const { tip } = outside.repo(nameIn(repo.url));
        return { tip, changed: diffOf(baseCommit, filesAt(baseCommit), filesAt(tip)).files.map(({ path }) => path) };
      }),
  };

  const sandbox: Sandbox = {
    kind: 'bwrap',
    probe: async () => ({ kind: 'bwrap', usable: true, problem: null, gaps: [], readPaths: [] }),
    async run({ root, onOutput }) {
      const files = disk.trees.get(root.replace('/trees/', ''))?.files ?? new Map<string, string>();
      const isRed = digest(files.get('a.js') ?? '').startsWith('0');
      const output = isRed ? 'not ok 1 - adds\n' : 'ok 1 - adds\n';
      onOutput?.('stdout', output);
      files.set('left-by-a-test.txt', 'x'); // what a test leaves must never be published
      return { exitCode: isRed ? 1 : 0, endedBy: 'exit', output, truncated: false, durationMs: 1 };
    },
  };

  return {
    workspaces: process.wrap('workspaces', workspaces, {
      quiet: /isSpaceLow|list|clones|forget|hold/,
      writes: /prepare|discard/,
    }),
    bases,
    sandbox: using(process.wrap('sandbox', sandbox, { writes: /run/ }), ([run]) =>
      String((run as { root?: string } | undefined)?.root).replace('/trees/', ''),
    ),
  };
}

function remoteOf({ repo }: WorkspaceRequest): string {
  return nameIn(repo.url);
}

function nameIn(url: string): string {
  return new URL(url).pathname.slice(1);
}

function diffOf(baseCommit: string, base: Tree, tree: Tree): WorkspaceDiff {
  const paths = [...new Set([...base.keys(), ...tree.keys()])].filter((path) => base.get(path) !== tree.get(path));
  const files = paths.sort().map((path) => ({
    path,
    additions: tree.has(path) ? 1 : 0,
    deletions: base.has(path) ? 1 : 0,
  }));
  const diff = files.map(({ path }) => `${path}: ${tree.get(path) ?? '(gone)'}\n`).join('');
  return { base_commit: baseCommit, head_commit: null, files, diff };
}
