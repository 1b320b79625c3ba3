import * as z from 'zod';
import type { IssueId, RepoId } from '../id/id.ts';

export const workspaceDiffSchema = z.object({
  base_commit: z.string(),
  /** The commit that the diff ends at; null while the change is not committed. */
  head_commit: z.string().nullable(),
  files: z.array(z.object({ path: z.string(), additions: z.int(), deletions: z.int() })),
  diff: z.string(),
});
export type WorkspaceDiff = z.infer<typeof workspaceDiffSchema>;

/** How a repository is reached. The token is opened at the moment of a call and never stored. */
export interface RepoAccess {
  readonly repoId: RepoId;
  readonly url: string;
  /** Whether it is the token of its user's account at the code host: then another one is had by linking that anew. */
  readonly byAccount?: boolean;
  /** @throws AppError when the user's account at the code host cannot be used */
  token(signal: AbortSignal): Promise<string | null>;
}

/** What the pipeline needs to have, or to find again, its working tree. */
export interface WorkspaceRequest {
  readonly issueId: IssueId;
  readonly repo: RepoAccess;
  readonly baseBranch: string;
  readonly branch: string;
  /** The commit to start from; null the first time: the tip of the base branch as fetched now. */
  readonly baseCommit: string | null;
  readonly signal: AbortSignal;
}

/** Reads and writes inside one working tree and nowhere else: no symlink, `..`, `.git` or special file leads out. */
export interface WorkspaceFiles {
  /** Tracked and new files, relative to the root, sorted. */
  list(): Promise<readonly string[]>;
  /** The text of a file. @throws AppError `tool_refused` for what is outside, absent, binary or too large */
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /**
   * Lines that match, by path and line, of files that git does not ignore. Ends early, `truncated`, at a limit.
   *
   * @throws AppError `tool_refused` for a pattern or a path that cannot be used
   */
  grep(query: TextQuery, signal: AbortSignal): Promise<TextMatches>;
}

/** Text to look for in the files of a working tree. */
export interface TextQuery {
  /** A regular expression (Rust's syntax: linear time), or the text itself with `literal`. */
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** Only below this folder or in this file, relative to the root; null: everywhere. */
  readonly path: string | null;
  /** Only files whose path fits, e.g. `*.ts` or `src/**`; null: all. */
  readonly glob: string | null;
  /** Lines around each match. */
  readonly context: number;
  /** Matching lines in the answer at most. */
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
 * A working tree kept as one commit on the base, whole enough to be made again on another host that has the base.
 * Ignored files are not in it.
 */
export interface Checkpoint {
  readonly commit: string;
  /** The raw commit object, so that another host makes the very same commit. */
  readonly object: string;
  /**
   * `git diff --binary --full-index` from the base commit to it. Empty when nothing differs, and for a commit whose
   * change is too large to be kept, which only this host can restore.
   */
  readonly patch: Uint8Array;
}

export interface CommitRequest {
  readonly message: string;
  readonly signal: AbortSignal;
}

/** One issue's working tree. */
export interface Workspace {
  readonly issueId: IssueId;
  readonly repoId: RepoId;
  /** Names this very tree. One that had to be made anew has another id, and nothing of what was done in the one before. */
  readonly treeId: string;
  /** Absolute path on this host; never shown to an agent or a user. */
  readonly root: string;
  /** The git directory that commands in the sandbox may read; never writable for them. */
  readonly gitDir: string;
  readonly branch: string;
  readonly baseCommit: string;
  readonly files: WorkspaceFiles;
  diff(signal: AbortSignal): Promise<WorkspaceDiff>;
  /** Blob ids of the base commit's files by path, for the code index. */
  blobs(signal: AbortSignal): Promise<readonly { path: string; blob: string; bytes: number }[]>;
  /** The content of a blob that `blobs` named. */
  readBlobs(blobs: readonly string[], signal: AbortSignal): AsyncIterable<{ blob: string; content: Buffer }>;
  /** Commits all changes on the branch; the same changes twice give the same head. Null when nothing changed since the base. */
  commit(request: CommitRequest): Promise<Checkpoint | null>;
  /** Keeps the tree as it stands, beside the branch. Null when the change is too large to be kept. */
  checkpoint(signal: AbortSignal): Promise<Checkpoint | null>;
  /** Puts the tree back to the base commit and removes what is untracked. */
  reset(signal: AbortSignal): Promise<void>;
  /**
   * Puts the tree to exactly what `checkpoint` kept, and removes what is untracked; from the commit where this host has
   * it, else from the patch. Ignored files stay: installed dependencies live there. So nothing that a test run did to
   * the tree outlives it.
   */
  restore(checkpoint: Checkpoint, signal: AbortSignal): Promise<void>;
  /** Pushes the branch to the origin: create or no-op, never over somebody else's commits. */
  push(headCommit: string, signal: AbortSignal): Promise<void>;
}

export interface Workspaces {
  /** Makes the working tree, or finds and repairs the one that is there. */
  prepare(request: WorkspaceRequest): Promise<Workspace>;
  /** Takes the tree out of the way at once and deletes it in the background. Unknown issues are fine. */
  discard(issueId: string): Promise<void>;
  /** Removes the tree and waits until its space is free. `prepare` makes it anew. Unknown issues are fine. */
  reclaim(issueId: string): Promise<void>;
  /** Whether the disk that holds the trees is down to its reserve. */
  isSpaceLow(): Promise<boolean>;
  /** Issue ids that have a working tree on this host. */
  list(): Promise<readonly string[]>;
  /** Ids of the repositories that have a clone on this host. */
  clones(): Promise<readonly RepoId[]>;
  /** Removes a repository's clone; its workspaces must be gone. */
  forget(repoId: RepoId): Promise<void>;
}

/** Looks at a remote before it is registered, or for its branches. */
export interface RemoteInspector {
  /**
   * @returns the canonical remote, the URL as git takes it, and the default branch
   * @throws AppError `remote_refused` (not allowed here) or `repo_unreachable` (says why)
   */
  inspect(url: string, token: string | null, signal: AbortSignal): Promise<RemoteFacts>;
}

/** Looks at what has happened to a base branch. */
export interface BaseBranches {
  /**
   * The branch as it is at the remote now, and what differs there from `baseCommit`.
   *
   * @returns `changed`: paths in which the two commits differ, sorted; empty when `tip` is `baseCommit`
   * @throws AppError `remote_unreachable`, `base_branch_missing`
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
