import type { CodeHit, CodeSymbol } from '../code-search/code-index.ts';
import type { LiveEvent } from '../issue/event-catalog.ts';
import type { Issue } from '../issue/issue.ts';
import type { OutsidePlan, Review, Triage } from '../pipeline/pipeline-state.ts';
import type { Plan, PlanDraft } from '../pipeline/plan.ts';
import type { TestReport } from '../pipeline/test-report.ts';
import type { Usage } from '../pipeline/usage.ts';
import type { Repo } from '../repo/repo.ts';
import type { SandboxCommand, SandboxResult } from '../workspace/sandbox.ts';
import type { Checkpoint, Workspace, WorkspaceDiff } from '../workspace/workspace.ts';
import type { JournalEntry, JournalWrite, Note } from './journal-store.ts';

/** What each role is given. */
export interface AgentInput {
  triager: { readonly issue: Issue; readonly repo: Repo };
  planner: {
    readonly issue: Issue;
    readonly repo: Repo;
    readonly triage: Triage | null;
    readonly lastPlan: Plan | null;
    readonly guidance: string | null;
    /** Files in which the base has moved since the last plan was made, when it has. */
    readonly baseMoved: readonly string[] | null;
  };
  coder: {
    readonly issue: Issue;
    readonly repo: Repo;
    readonly plan: Plan;
    readonly round: number;
    readonly feedback: string | null;
  };
  reviewer: {
    readonly issue: Issue;
    readonly plan: Plan;
    readonly diff: WorkspaceDiff;
    readonly tests: TestReport | null;
    readonly outsidePlan: readonly OutsidePlan[];
  };
}

/** What each role gives back. */
export interface AgentOutput {
  triager: Triage;
  planner: PlanDraft;
  /** `blocked` ends the issue in `failed` with `summary` as the reason. */
  coder: {
    readonly outcome: 'done' | 'blocked';
    readonly summary: string;
    /** Files outside the plan that it wrote, with its reasons. */
    readonly outsidePlan: readonly OutsidePlan[];
  };
  reviewer: Review;
}

export type AgentRole = keyof AgentInput;

/** An agent's durable memory: what stands in it is never done again. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Appends, with the events that tell of it, in one write. @throws when the lease is lost */
  append(written: JournalWrite): Promise<void>;
}

/** What an agent may use. Which of it a role's tools reach is the role's own definition. */
export interface AgentContext {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  /**
   * To be asked before each call of the model.
   *
   * @returns what people wrote to the agent since
   * @throws AppError `budget_exhausted`
   */
  checkIn(): Promise<readonly Note[]>;
  /** Keeps the tree as it stands; null when it cannot be kept. Asked after each answer whose calls changed something. */
  checkpoint(): Promise<Checkpoint | null>;
  search(query: string, limit: number): Promise<readonly CodeHit[]>;
  outline(file: { readonly path: string; readonly text: string }): Promise<readonly CodeSymbol[] | null>;
  /** Runs in the sandbox, with its events and log. */
  runCommand(command: Pick<SandboxCommand, 'command'>): Promise<SandboxResult>;
  live(event: Pick<Extract<LiveEvent, { type: 'agent.delta' }>, 'type' | 'data'>): void;
}

export interface AgentResult<R extends AgentRole> {
  readonly output: AgentOutput[R];
  /** Of the whole round, restarts included. */
  readonly usage: Usage;
  /** How the models are shown that answered in the round, each once, e.g. "built-in (no model)". */
  readonly madeBy: readonly string[];
  /** Paths that the first search showed it. */
  readonly retrieved: readonly string[];
}

/** Runs a role to its end, going on from the journal where an earlier run stopped. */
export interface AgentRunner {
  run<R extends AgentRole>(role: R, input: AgentInput[R], context: AgentContext): Promise<AgentResult<R>>;
}
