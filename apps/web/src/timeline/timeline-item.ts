import type { IssueEvent, Stage } from '@sluice/client';

type Data<Type extends IssueEvent['type']> = Extract<IssueEvent, { type: Type }>['data'];

/** One line of the timeline inside a stage or between stages. A new object replaces it when it changes. */
export type Entry = { readonly seq: number; readonly at: string } & (
  | { readonly kind: 'message'; readonly agent: string; readonly text: string; readonly turn: number | null }
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** Null while it runs. */
      readonly result: { readonly ok: boolean; readonly summary: string; readonly ms: number } | null;
    }
  | {
      readonly kind: 'command';
      readonly command: string;
      /** Null while it runs. */
      readonly end: Omit<Data<'command.finished'>, 'command'> | null;
    }
  | { readonly kind: 'files'; readonly files: Data<'diff.updated'>['files'] }
  | { readonly kind: 'note'; readonly text: string; readonly read: { agent: string; turn: number } | null }
  | { readonly kind: 'plan'; readonly plan: Data<'plan.created'>['plan'] }
  | { readonly kind: 'gate'; readonly on: 'plan' | 'publish'; readonly revision: number }
  | { readonly kind: 'reminder'; readonly gate: string; readonly expiresAt: string | null }
  | { readonly kind: 'decision'; readonly on: 'plan' | 'publish'; readonly decision: Data<'review.decided'> }
  | { readonly kind: 'approval'; readonly on: 'plan' | 'publish'; readonly approval: Data<'review.approved'> }
  | { readonly kind: 'approvals_dropped'; readonly dropped: Data<'review.approvals_dropped'> }
  | { readonly kind: 'result'; readonly result: Data<'result.published'>['result'] }
  | { readonly kind: 'build'; readonly build: Data<'build.updated'> }
  | { readonly kind: 'remark'; readonly answered: Data<'remark.answered'> }
  | { readonly kind: 'review_waits'; readonly waiting: Data<'review.waits'> }
  | { readonly kind: 'base'; readonly moved: Data<'base.moved'> }
  | { readonly kind: 'change_request'; readonly change: Data<'change_request.updated'> }
  /** Without an answer it is the question. */
  | { readonly kind: 'close'; readonly number: number; readonly answer: Data<'close.answered'> | null }
  | { readonly kind: 'status'; readonly to: Data<'issue.status'>['to']; readonly detail: string | null }
  | { readonly kind: 'created'; readonly origin: string }
);

/** One attempt at a stage. */
export interface StageRun {
  readonly kind: 'stage';
  /** The number of its first event. */
  readonly seq: number;
  readonly at: string;
  readonly stage: Stage;
  readonly agent: string;
  readonly attempt: number;
  /** How often the pipeline has come to this stage. */
  readonly round: number;
  /** `interrupted`: cut off by a restart or a cancel, which is no failure of the stage. */
  readonly outcome: 'running' | 'completed' | 'failed' | 'interrupted';
  readonly willRetry: boolean;
  readonly retry: NonNullable<Data<'stage.failed'>['retry']> | null;
  readonly durationMs: number | null;
  readonly usage: Data<'stage.completed'>['usage'] | null;
  readonly detail: string | null;
  /** The same array grows and its entries are replaced; `revision` tells that. */
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly counts: Readonly<Record<'turns' | 'tools' | 'commands' | 'failures', number>>;
}

/** A time in which nothing worked. */
export interface Pause {
  readonly kind: 'pause';
  readonly seq: number;
  readonly at: string;
  /** Null while it lasts. */
  readonly until: string | null;
  readonly why: 'decision' | 'queue' | 'repo' | 'retry' | 'start';
}

/** What the timeline consists of, in order. */
export type TimelineItem = StageRun | Pause | { readonly kind: 'entry'; readonly seq: number; readonly entry: Entry };
