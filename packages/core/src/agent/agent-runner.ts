import type { Attachment } from '../attachment/attachment.ts';
import type { Finding } from '../change/finding.ts';
import type { CodeHit, CodeSymbol, SyntaxFault } from '../code-search/code-index.ts';
import type { LiveEvent } from '../issue/event-catalog.ts';
import type { Issue } from '../issue/issue.ts';
import type { BudgetUse } from '../pipeline/budget.ts';
import type { OutsidePlan, RanCommand, Review, Triage } from '../pipeline/pipeline-state.ts';
import type { Plan, PlanDraft } from '../pipeline/plan.ts';
import type { PlannerOutput } from '../pipeline/planner-output.ts';
import type { RemarkAnswer } from '../pipeline/review-remark.ts';
import type { TestReport } from '../pipeline/test-report.ts';
import type { Usage } from '../pipeline/usage.ts';
import type { Repo } from '../repo/repo.ts';
import type { SandboxResult } from '../workspace/sandbox.ts';
import type { Checkpoint, Workspace, WorkspaceDiff } from '../workspace/workspace.ts';
import type { JournalEntry, JournalWrite, Note, Said } from './journal-store.ts';

/**
 * The input of each role. `environment` is what the service measured of the place in which the agent works, and the result
 * of the tests at the base; null where an older release prepared the issue.
 */
export interface AgentInput {
  triager: { readonly issue: Issue; readonly repo: Repo };
  planner: {
    readonly issue: Issue;
    readonly repo: Repo;
    readonly triage: Triage | null;
    readonly lastPlan: Plan | null;
    readonly guidance: string | null;
    /** Files that have changed on the base branch since the last plan, or null. */
    readonly baseMoved: readonly string[] | null;
    readonly environment?: string | null;
  };
  coder: {
    readonly issue: Issue;
    readonly repo: Repo;
    readonly plan: Plan;
    readonly round: number;
    readonly feedback: string | null;
    /** By which the service tests the change; absent or null: none is known. */
    readonly testCommand?: string | null;
    readonly environment?: string | null;
  };
  reviewer: {
    readonly issue: Issue;
    readonly plan: Plan;
    readonly diff: WorkspaceDiff;
    readonly tests: TestReport | null;
    readonly outsidePlan: readonly OutsidePlan[];
    /** The checks that the coder ran, by the service's record; absent or null: not recorded. */
    readonly ran?: readonly RanCommand[] | null;
    readonly findings: readonly Finding[];
    readonly environment?: string | null;
    /** The author's words about a change that a review returned; absent or null: it was not returned. */
    readonly authorSays?: string | null;
  };
}

/** The output of each role. */
export interface AgentOutput {
  triager: Triage;
  planner: PlannerOutput & { readonly remarks?: readonly RemarkAnswer[] };
  /** `blocked` ends the issue in `failed` with `summary` as the reason. */
  coder: {
    readonly outcome: 'done' | 'blocked';
    readonly summary: string;
    /** The checks that it ran, by the service's own record; absent: not recorded. */
    readonly ran?: readonly RanCommand[];
    /** The reason for which it ran nothing after its last change, in its own words. */
    readonly notRunReason?: string | undefined;
    /** Files outside the plan that the coder changed, with its reasons. */
    readonly outsidePlan: readonly OutsidePlan[];
    /** Its answers to the remarks that a follow-up is about. */
    readonly remarks?: readonly RemarkAnswer[];
  };
  reviewer: Review;
}

export type AgentRole = keyof AgentInput;

/** An agent's durable memory. Recorded work is never repeated. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /**
   * The journals of the earlier rounds whose conversation this round goes on with, oldest first. Absent or empty: the
   * round has a conversation of its own. What they used is not counted again.
   */
  readonly earlier?: readonly (readonly JournalEntry[])[];
  /** Why the last round ended without its result, when this one is its retry; absent or null: it is none. */
  readonly lastAttempt?: string | null;
  /** Appends entries with their events in one transaction. @throws when the lease is lost */
  append(written: JournalWrite): Promise<void>;
}

/** What people attached to the issue, as it is at each call. */
interface AgentAttachments {
  list(): Promise<readonly Attachment[]>;
  /** Null for one that is none of this issue. */
  content(id: string): Promise<Uint8Array | null>;
}

/** The end of an agent's command. `note`: a person wrote a note, and it was stopped with its output so far. */
export interface AgentCommandResult extends Omit<SandboxResult, 'endedBy'> {
  /** `unread_note`: it was not started. */
  readonly endedBy: SandboxResult['endedBy'] | 'note' | 'unread_note';
}

/** The capabilities of an agent. Each role's definition decides which of them its tools use. */
export interface AgentContext {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  /**
   * Called before each model turn.
   *
   * @returns new notes to the agent
   * @throws AppError `budget_exhausted`
   */
  checkIn(): Promise<readonly Note[]>;
  /** The pictures and texts of the issue; absent: it has none. */
  readonly attachments?: AgentAttachments;
  /** Reads the notes of people before this agent began: another one has read them. */
  said(): Promise<readonly Said[]>;
  /** The use of what limits the work besides its turns: the issue's budget and the time of the stage. */
  limitUse(): readonly BudgetUse[];
  /**
   * Called right before each request to a model, retries and fallbacks included: an answer costs money, so it is only asked
   * for under a live lease.
   *
   * @throws the reason why the work is over; the request is not sent then
   */
  beforeModelCall(): Promise<void>;
  /** Saves the working tree; null when it is too large. Called after each turn whose tool calls changed something. */
  checkpoint(): Promise<Checkpoint | null>;
  search(query: string, limit: number): Promise<readonly CodeHit[]>;
  outline(file: { readonly path: string; readonly text: string }): Promise<readonly CodeSymbol[] | null>;
  syntaxFaults(file: { readonly path: string; readonly text: string }): Promise<readonly SyntaxFault[] | null>;
  /**
   * Runs a command in the sandbox, and records its events and log. A note from a person stops it.
   *
   * @param command.timeoutMs the stage's own limit holds where it is lower
   */
  runCommand(command: { readonly command: string; readonly timeoutMs: number }): Promise<AgentCommandResult>;
  live(event: Pick<Extract<LiveEvent, { type: 'agent.delta' }>, 'type' | 'data'>): void;
}

export interface AgentResult<R extends AgentRole> {
  readonly output: AgentOutput[R];
  /** The usage of the whole round, including restarts. */
  readonly usage: Usage;
  /** The display names of the models that answered in the round, without duplicates, e.g. "built-in (no model)". */
  readonly madeBy: readonly string[];
  /** The paths that the first search found. */
  readonly retrieved: readonly string[];
}

/** Runs a role to completion, resuming from its journal. */
export interface AgentRunner {
  run<R extends AgentRole>(role: R, input: AgentInput[R], context: AgentContext): Promise<AgentResult<R>>;
  /** Whether the planner also triages, so that no request to a triager is needed. */
  plannerTriages(): boolean;
  /** Names the words that the roles begin with: their instructions and tools. */
  promptRevision(): string;
  /** Why the configured coder is known to fail at this plan; null when it may succeed. Asks no model. */
  planBlocker(plan: PlanDraft, workspace: Pick<Workspace, 'files'>): Promise<string | null>;
}
