import { createHash } from 'node:crypto';
import type {
  AgentCommandResult,
  AgentContext,
  Journal,
  JournalEntry,
  JournalWrite,
  Note,
  Said,
} from '@sluice/core/agent';
import type { CodeHit, CodeSymbol, SyntaxFault } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import type { IssueId, RepoId, UserId } from '@sluice/core/id';
import type { NewEvent } from '@sluice/core/issue';
import type { BudgetUse, Plan, PlanDraft } from '@sluice/core/pipeline';
import type { Checkpoint, TextQuery, WorkspaceDiff, WorkspaceFiles } from '@sluice/core/workspace';
import { aRepo, baseFilesOf, anIssue as givenIssue } from '@sluice/testing';

const NOW = new Date('2026-11-20T09:00:00.000Z');

/** Files in memory behind the workspace's port. `changes` tells each call that made a difference. */
function memoryFiles(initial: Readonly<Record<string, string>>, onChange: (change: string) => void) {
  const files = new Map(Object.entries(initial));
  const changes: string[] = [];
  const changed = (change: string) => {
    changes.push(change);
    onChange(change);
  };
  const read = (path: string) => {
    const text = files.get(path);
    if (text === undefined) throw new AppError('tool_refused', { detail: `There is no file ${path}.` });
    return text;
  };
  return {
    changes,
    /** Puts all files back to a snapshot, as a lost tree is put back to a checkpoint. */
    restore(to: Readonly<Record<string, string>>) {
      files.clear();
      for (const [path, text] of Object.entries(to)) files.set(path, text);
    },
    snapshot: (): Record<string, string> => Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    list: async () => [...files.keys()].sort(),
    storedInLfs: async () => [],
    ignored: async (paths: readonly string[]) => paths.filter((path) => path.startsWith('ignored/')),
    read: async (path: string) => read(path),
    async write(path: string, text: string) {
      if (path.includes('..')) throw new AppError('tool_refused', { detail: `${path} leads out of the repository.` });
      if (files.get(path) !== text) changed(`write ${path}`);
      files.set(path, text);
    },
    async remove(path: string) {
      read(path);
      files.delete(path);
      changed(`remove ${path}`);
    },
    async grep({ pattern, literal, path, limit }: TextQuery) {
      const all = [...files].filter(([name]) => literal && name.startsWith(path ?? ''));
      const lines = all.flatMap(([name, text]) =>
        text
          .split('\n')
          .map((line, index) => ({ path: name, line: index + 1, text: line, isMatch: true }))
          .filter((line) => line.text.includes(pattern)),
      );
      return { lines: lines.slice(0, limit), truncated: lines.length > limit };
    },
  };
}

export interface MemoryOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** The files of the base commit, where they are not those in the tree. */
  readonly baseFiles?: Readonly<Record<string, string>>;
  readonly journal?: readonly JournalEntry[];
  /** The journals of earlier rounds, and why the last one ended. */
  readonly earlier?: Journal['earlier'];
  readonly lastAttempt?: string;
  /** Real files instead of those in memory. */
  readonly realFiles?: WorkspaceFiles;
  readonly hits?: readonly CodeHit[];
  readonly symbols?: readonly CodeSymbol[];
  /** Where a text does not parse; unknown by default. */
  syntaxFaults?(file: { readonly path: string; readonly text: string }): readonly SyntaxFault[] | null;
  readonly signal?: AbortSignal;
  /** What people have written by the time of the n-th answer of the model, from 0. */
  notes?(answers: number): readonly Note[];
  /** The use of the budget and of the stage's time; none by default. */
  limitUse?(): readonly BudgetUse[];
  readonly said?: readonly Said[];
  /** Called with each piece of live text. */
  onLive?(): void;
  /** Called before each request to a model. */
  beforeModelCall?(): Promise<void>;
  /** Called at each check-in. */
  onCheckIn?(): void;
  /** The checkpoint of the tree; by default a commit, the same for the same files. */
  checkpoint?(): Promise<Checkpoint | null>;
  /** Whether the tree differs from the base, by the effects so far; by default it does. */
  hasChange?(effects: readonly string[]): boolean;
  /** What runs for a command; its answer is the output, or how it ended. */
  command?(command: string): Promise<string | Partial<AgentCommandResult>>;
  /** The exit code of every command; 0 by default. */
  readonly exitCode?: number;
  /** How every command ends, where that is not by itself. */
  readonly commandEnd?: Partial<AgentCommandResult>;
  /** Called before each append, with what stands on disk then. */
  onAppend?(written: JournalWrite): void;
  /** Called after each append. */
  onAppended?(written: JournalWrite): void;
}

/** An agent's context in memory. The journal goes through JSON, as it does in a database. */
export function memoryContext(options: MemoryOptions = {}) {
  /** Each effect, in order: writes to files and commands. */
  const effects: string[] = [];
  const files = memoryFiles(options.files ?? {}, (change) => effects.push(change));
  const journal: JournalEntry[] = structuredClone([...(options.journal ?? [])]);
  const events: NewEvent[] = [];
  const live: string[] = [];
  const commands: string[] = [];
  const timeouts: number[] = [];
  const queries: string[] = [];
  const checkpoints: Checkpoint[] = [];
  const absent = () => {
    throw new Error('An agent has no business here.');
  };
  const context: AgentContext = {
    workspace: {
      issueId: anIssue().issueId,
      repoId: anIssue().repoId,
      treeId: 'a tree',
      root: '/nowhere',
      gitDir: '/nowhere/git',
      branch: 'sluice/x',
      baseCommit: '0'.repeat(40),
      merge: null,
      files: options.realFiles ?? files,
      baseFiles: baseFilesOf(Object.entries(options.baseFiles ?? options.files ?? {})),
      absent,
      lfsChange: absent,
      diff: async () => aDiff('', (options.hasChange?.(effects) ?? true) ? ['changed'] : []),
      blobs: absent,
      readBlobs: absent,
      commit: absent,
      checkpoint: absent,
      reset: absent,
      restore: absent,
      mix: absent,
      push: absent,
    },
    journal: {
      entries: structuredClone(journal),
      earlier: options.earlier ?? [],
      lastAttempt: options.lastAttempt ?? null,
      async append(written) {
        options.onAppend?.(written);
        journal.push(...JSON.parse(JSON.stringify(written.entries)));
        events.push(...written.events);
        if (written.checkpoint !== undefined) checkpoints.push(written.checkpoint);
        options.onAppended?.(written);
      },
    },
    signal: options.signal ?? new AbortController().signal,
    async checkIn() {
      options.onCheckIn?.();
      const read = journal.flatMap((entry) => (entry.kind === 'note' ? [entry.seq] : []));
      return (options.notes?.(answersIn(journal)) ?? []).filter(({ seq }) => !read.includes(seq));
    },
    said: async () => options.said ?? [],
    limitUse: () => options.limitUse?.() ?? [],
    async beforeModelCall() {
      await options.beforeModelCall?.();
    },
    async checkpoint() {
      if (options.checkpoint !== undefined) return await options.checkpoint();
      return { commit: commitOf(files.snapshot()), object: '', patch: new Uint8Array() };
    },
    outline: async () => options.symbols ?? null,
    syntaxFaults: async (file) => options.syntaxFaults?.(file) ?? null,
    async search(query) {
      queries.push(query);
      return options.hits ?? [];
    },
    async runCommand({ command, timeoutMs }) {
      commands.push(command);
      timeouts.push(timeoutMs);
      effects.push(command);
      const ran = (await options.command?.(command)) ?? '';
      const end = {
        exitCode: options.exitCode ?? 0,
        endedBy: 'exit',
        output: '',
        truncated: false,
        durationMs: 1,
      } as const;
      return { ...end, ...options.commandEnd, ...(typeof ran === 'string' ? { output: ran } : ran) };
    },
    live({ data }) {
      live.push(data.text);
      options.onLive?.();
    },
  };
  return { context, files, journal, events, live, commands, timeouts, effects, queries, checkpoints };
}

/** The commit of these files, the same for the same files. */
export function commitOf(snapshot: Readonly<Record<string, string>>): string {
  return createHash('sha256').update(JSON.stringify(snapshot)).digest('hex').slice(0, 40);
}

/** How often the model has answered, by a journal. */
export function answersIn(entries: readonly JournalEntry[]): number {
  return entries.filter((entry) => entry.kind === 'message' && (entry.message as { role: string }).role === 'assistant')
    .length;
}

/** An issue with its repository, as the roles are given them. */
export function anIssue({ title = 'Sum is wrong', body = '' }: { title?: string; body?: string } = {}) {
  const issueId = '0190a0a0-0000-7000-8000-000000000001' as IssueId;
  const repoId = '0190a0a0-0000-7000-8000-000000000002' as RepoId;
  const userId = '0190a0a0-0000-7000-8000-000000000003' as UserId;
  const issue = givenIssue({ id: issueId, userId, repoId, title, body, status: 'running' });
  const repo = aRepo({ id: repoId, userId, name: 'sample', activeIssueId: issueId });
  return { issue, repo, issueId, repoId };
}

/** A stored plan to change these files. */
export function aPlanFor(files: readonly string[]): Plan {
  const step = { title: 'Change them', detail: 'As the issue says.', files: [...files] };
  return aPlan({ summary: 'Change them.', steps: [step], acceptance_criteria: [], risks: [], test_strategy: '' });
}

/** A stored plan of a draft. */
export function aPlan(draft: PlanDraft, guidance: string | null = null): Plan {
  return { ...draft, revision: 1, guidance, created_at: NOW.toISOString() };
}

/** A diff of the workspace as the reviewer is given it. */
export function aDiff(diff: string, paths: readonly string[]): WorkspaceDiff {
  return {
    base_commit: '0'.repeat(40),
    head_commit: null,
    files: paths.map((path) => ({ path, additions: 1, deletions: 1 })),
    diff,
  };
}
