import * as z from 'zod';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import type { BaseFiles } from './base-files.ts';
import type { CountedPaths } from './counted-paths.ts';

export const workspaceDiffSchema = z.object({
  base_commit: z.string(),
  /** The head commit; null while the change is not committed. */
  head_commit: z.string().nullable(),
  files: z.array(z.object({ path: z.string(), additions: z.int(), deletions: z.int() })),
  diff: z.string(),
});
export type WorkspaceDiff = z.infer<typeof workspaceDiffSchema>;

/** Access to a repository. The token is decrypted for each call. */
export interface RepoAccess {
  readonly repoId: RepoId;
  /** The user who registered it, and so chose the name of its host. */
  readonly userId: UserId;
  readonly url: string;
  /** Whether the token belongs to the user's account at the code host, so that relinking the account renews it. */
  readonly byAccount?: boolean;
  /** @throws AppError when the user's account at the code host cannot be used */
  token(signal: AbortSignal): Promise<string | null>;
}

/** A request to create or find the working tree of an issue. */
export interface WorkspaceRequest {
  readonly issueId: IssueId;
  readonly repo: RepoAccess;
  readonly baseBranch: string;
  readonly branch: string;
  /** The commit to start from; null the first time, for the current tip of the base branch. */
  readonly baseCommit: string | null;
  /** The commit that the work merges into the base commit; null or absent for other work. */
  readonly mergeCommit?: string | null;
  readonly signal: AbortSignal;
}

/** Reads and writes within one working tree. No symlink, `..`, `.git` or special file leads out of it. */
export interface WorkspaceFiles {
  /** Tracked and new files, relative to the root, sorted. */
  list(): Promise<readonly string[]>;
  /** The paths among the first hundred that git ignores and does not track. */
  ignored(paths: readonly string[]): Promise<readonly string[]>;
  /**
   * The paths, of some, that Git LFS stores, by the attributes that the work starts from or by those in the tree; of the first
   * hundred. Only a pointer can be committed there.
   */
  storedInLfs(paths: readonly string[]): Promise<readonly string[]>;
  /** The text of a file. @throws AppError `tool_refused` for a path that is outside, absent, binary or too large */
  read(path: string): Promise<string>;
  /**
   * @throws AppError `tool_refused` for a path that is outside, or that git ignores, so that it would not be in the change, or
   * that Git LFS stores, unless the text is a pointer; `workspace_unsafe` where git would wait on what stands in the place of a
   * `.gitignore` or a `.gitattributes`
   */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /**
   * The matching lines of files that git does not ignore, by path and line. `truncated` when a limit was reached.
   *
   * @throws AppError `tool_refused` for a pattern or a path that cannot be used
   */
  grep(query: TextQuery, signal: AbortSignal): Promise<TextMatches>;
}

/** A text search in the files of a working tree. */
export interface TextQuery {
  /** A regular expression (in Rust's syntax, which takes linear time), or plain text with `literal`. */
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** Only below this folder or in this file, relative to the root; null: everywhere. */
  readonly path: string | null;
  /** Only files whose path matches, e.g. `*.ts` or `src/**`; null: all. */
  readonly glob: string | null;
  /** The number of lines around each match. */
  readonly context: number;
  /** The maximum number of matching lines. */
  readonly limit: number;
}

export interface TextMatches {
  readonly lines: readonly {
    readonly path: string;
    readonly line: number;
    readonly text: string;
    readonly isMatch: boolean;
  }[];
  readonly truncated: boolean;
}

/**
 * A saved working tree: one commit on the base, which another host with the base can reproduce. Excludes ignored files.
 */
export interface Checkpoint {
  readonly commit: string;
  /** The raw commit object, so that another host creates the identical commit. */
  readonly object: string;
  /**
   * `git diff --binary --full-index` from the base commit. Empty without changes, and for a commit whose change is too large
   * to store, which only this host can restore.
   */
  readonly patch: Uint8Array;
}

/** A tree made of two commits that this host has: the base, the merged one, or one that was made or restored here. */
export interface MixedTree {
  readonly commit: string;
  /** The commit of which `paths` are taken. A path that it does not have is removed. */
  readonly from: string;
  readonly paths: readonly string[];
}

export interface CommitRequest {
  readonly message: string;
  readonly signal: AbortSignal;
}

/** A path that git cannot merge by itself. */
export interface MergeConflict {
  readonly path: string;
  /** Git's word for it: `contents`, `modify/delete`, `binary`, … */
  readonly kind: string;
  /** It cannot be settled in the files as git leaves them: a binary file, a link, a submodule, a file that became a folder. */
  readonly byHand: boolean;
}

/** What git makes of a merge, computed from the two commits alone. */
export interface MergeOutcome {
  /** The merged commit is part of the branch already. */
  readonly isContained: boolean;
  readonly conflicts: readonly MergeConflict[];
}

/**
 * A merge as the work of a tree. The work starts from what git makes of it, with both sides of a text conflict between markers;
 * the commit has the two commits as its parents; and the change is what was done beyond that: the files in conflict, and those
 * that differ from what git made.
 */
interface WorkspaceMerge {
  /** The commit that is merged into the base commit. */
  readonly commit: string;
  outcome(signal: AbortSignal): Promise<MergeOutcome>;
}

/** What belongs to the commit that the work starts from, and is not in the tree. */
export interface AbsentContent {
  /** Whether attributes of the commit let Git LFS store paths. */
  readonly usesLfs: boolean;
  /** Files whose content Git LFS stores: the tree has their pointers. */
  readonly lfsFiles: CountedPaths;
  /** Folders of submodules, which are not fetched. */
  readonly submodules: CountedPaths;
}

/** The changes of a commit to Git LFS: a person decides about them before it is published. */
export interface LfsChange {
  /** Pointers whose objects no pointer of the base names: they may never have been uploaded. */
  readonly newPointers: CountedPaths;
  /**
   * Files that Git LFS stores where the work starts, and no longer by the attributes of the commit; and pointers of the base that
   * a rename or a copy puts where Git LFS stores nothing.
   */
  readonly released: CountedPaths;
  /** Changed files of attributes, where the work starts from a tree that uses Git LFS. */
  readonly attributes: CountedPaths;
}

/** The working tree of an issue. */
export interface Workspace {
  readonly issueId: IssueId;
  readonly repoId: RepoId;
  /** The id of this working tree. One that had to be created again has a new id, and none of the earlier work. */
  readonly treeId: string;
  /** Absolute path on this host. Never shown to agents or users. */
  readonly root: string;
  /** The git directory, which commands in the sandbox can read but not write. */
  readonly gitDir: string;
  readonly branch: string;
  readonly baseCommit: string;
  /** Null for work that merges nothing. */
  readonly merge: WorkspaceMerge | null;
  readonly files: WorkspaceFiles;
  readonly baseFiles: BaseFiles;
  diff(signal: AbortSignal): Promise<WorkspaceDiff>;
  /** The blob ids of the base commit's files by path, for the code index. */
  blobs(signal: AbortSignal): Promise<readonly { path: string; blob: string; bytes: number }[]>;
  /** The content of blobs. */
  readBlobs(blobs: readonly string[], signal: AbortSignal): AsyncIterable<{ blob: string; content: Buffer }>;
  /** What the tree does not have of the commit that the work starts from. */
  absent(signal: AbortSignal): Promise<AbsentContent>;
  lfsChange(headCommit: string, signal: AbortSignal): Promise<LfsChange>;
  /**
   * Commits all changes on the branch. The same changes give the same commit. Null without changes since the base; a merge
   * always gives a commit, unless the branch contains what it merges.
   *
   * @throws AppError `lfs_content_refused`, before there is a commit, when the change puts anything but a pointer where Git LFS
   * stores files
   */
  commit(request: CommitRequest): Promise<Checkpoint | null>;
  /** Saves the working tree outside the branch. Null when the change is too large. */
  checkpoint(signal: AbortSignal): Promise<Checkpoint | null>;
  /** Resets the tree to where the work starts, the base commit or the merge as git makes it, and deletes untracked files. */
  reset(signal: AbortSignal): Promise<void>;
  /**
   * Restores the exact tree of a checkpoint and deletes untracked files: from the commit if this host has it, otherwise from
   * the patch. This undoes all effects of a test run. Ignored files stay, because they include installed dependencies.
   */
  restore(checkpoint: Checkpoint, signal: AbortSignal): Promise<void>;
  /** Puts the tree to a mix of two commits and deletes untracked files, as `restore` does. The branch stays as it is. */
  mix(mixed: MixedTree, signal: AbortSignal): Promise<void>;
  /**
   * Pushes the branch to the origin. Creates it or does nothing, and never overwrites foreign commits. `beforeWrite` runs
   * right before git sends it, and not at all if the branch is there; if it throws, nothing is sent.
   *
   * @throws AppError `lfs_content_refused` as `commit` does: another release, or another host, may have made the commit
   */
  push(headCommit: string, signal: AbortSignal, beforeWrite?: () => Promise<void>): Promise<void>;
}

export interface Workspaces {
  /** Creates the working tree, or finds and repairs the existing one. */
  prepare(request: WorkspaceRequest): Promise<Workspace>;
  /**
   * Takes the tree of an issue for one execution, against all processes that share this folder; waits for a short time. The
   * lock ends with its process.
   *
   * @returns a function that lets the next one in
   * @throws AppError `not_ready` when another process still uses it, or the signal's reason
   */
  hold(issueId: IssueId, signal: AbortSignal): Promise<() => void>;
  /** Moves the tree away at once and deletes it in the background. Unknown issues are ignored. */
  discard(issueId: string): Promise<void>;
  /** Deletes the tree and waits until its space is free. `prepare` can create it again. Unknown issues are ignored. */
  reclaim(issueId: string): Promise<void>;
  /** Whether the disk with the working trees has reached its reserve. */
  isSpaceLow(): Promise<boolean>;
  /** The ids of issues that `discard` has something to remove of on this host: a working tree, or what is left of one. */
  list(): Promise<readonly string[]>;
  /** The ids of repositories with a clone on this host. */
  clones(): Promise<readonly RepoId[]>;
  /** Deletes the clone of a repository, which must have no working trees left. */
  forget(repoId: RepoId): Promise<void>;
}

/** A remote to inspect. */
export interface InspectedRemote {
  readonly url: string;
  readonly token: string | null;
  /** The user who registers it, or has registered it. */
  readonly userId: UserId;
}

/** Inspects a remote before it is registered, or for its branches. */
export interface RemoteInspector {
  /**
   * @returns the canonical remote, the URL for git, and the branches
   * @throws AppError `remote_refused` when it is not allowed here, or `repo_unreachable` with the reason
   */
  inspect(remote: InspectedRemote, signal: AbortSignal): Promise<RemoteFacts>;
}

/** How the branch of a pull request stands to its base branch, both as they are at the remote. */
export interface BranchStanding extends MergeOutcome {
  readonly headCommit: string;
  readonly baseCommit: string;
  /** Paths that the base branch has changed since the two parted, sorted. */
  readonly changedAtBase: readonly string[];
  /** Paths that the branch has changed since then, sorted. */
  readonly changedOnBranch: readonly string[];
  /** Subjects of the commits that only the base branch has, newest first; of the first 20. Untrusted text. */
  readonly subjects: readonly string[];
}

/** Compares the branches of pull requests with their base branches. */
export interface BranchStandings {
  /**
   * How a branch stands to its base branch. Null when the two have no history in common.
   *
   * @throws AppError one of `remoteErrors`, `base_branch_missing` when one of the branches is gone
   */
  of(request: {
    readonly repo: RepoAccess;
    readonly branch: string;
    readonly baseBranch: string;
    readonly signal: AbortSignal;
  }): Promise<BranchStanding | null>;
}

/** Compares base branches with their remotes. */
export interface BaseBranches {
  /**
   * The tip of the branch at the remote, and its differences from `baseCommit`.
   *
   * @returns `changed`: the sorted paths that differ between the two commits
   * @throws AppError one of `remoteErrors`, `base_branch_missing`
   */
  since(request: {
    readonly repo: RepoAccess;
    readonly branch: string;
    readonly baseCommit: string;
    readonly signal: AbortSignal;
  }): Promise<{ readonly tip: string; readonly changed: readonly string[] }>;
}

export interface RemoteFacts {
  readonly url: string;
  readonly canonicalRemote: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly branches: readonly string[];
}
