import type { HostUser } from './host-user.ts';

/** An app that reports checks. The one that runs workflows is the host's own. */
export interface HostApp {
  readonly id: number;
  readonly slug: string;
}

export const ACTIONS: HostApp = { id: 15368, slug: 'github-actions' };

/** The checks of one app for one commit; of the workflows' app, those of one run. */
export interface HostSuite {
  readonly id: number;
  readonly app: HostApp;
  readonly commit: string;
  readonly branch: string | null;
}

export type CheckConclusion =
  | 'success'
  | 'failure'
  | 'neutral'
  | 'cancelled'
  | 'skipped'
  | 'timed_out'
  | 'action_required';

export interface HostAnnotation {
  readonly path: string;
  readonly line: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly message: string;
}

/** A log as the host stores it: filler of `bytes` bytes, and after it `text`. */
export interface HostLog {
  readonly text: string;
  readonly bytes?: number;
}

/** One attempt of a check. */
export interface HostCheckRun {
  readonly id: number;
  readonly suite: HostSuite;
  readonly name: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: CheckConclusion | null;
  startedAt: Date | null;
  completedAt: Date | null;
  summary: string | null;
  annotations: readonly HostAnnotation[];
  /** Null: none was written, or it has expired. */
  log: HostLog | null;
}

export interface HostStatus {
  readonly id: number;
  readonly commit: string;
  readonly context: string;
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  readonly description: string | null;
  readonly createdAt: Date;
  readonly by: HostUser;
}

/** A run of a workflow. Another attempt keeps its id and its suite. */
export interface HostWorkflowRun {
  readonly id: number;
  readonly workflowId: number;
  readonly name: string;
  readonly path: string;
  readonly event: string;
  readonly suite: HostSuite;
  readonly runNumber: number;
  readonly createdAt: Date;
  attempt: number;
  /** The start of the newest attempt. */
  startedAt: Date;
  status: 'queued' | 'in_progress' | 'completed' | 'waiting';
  conclusion: CheckConclusion | 'startup_failure' | 'stale' | null;
  updatedAt: Date;
}

/** A check that a branch requires; of any app where none is named. */
export interface HostRequirement {
  readonly branch: string;
  readonly context: string;
  readonly app: HostApp | null;
  /** The place of a requirement: the protection of the branch, a rule set, or a rule set as the path of a workflow. */
  readonly by: 'protection' | 'rules' | 'workflow';
}

/** All that is built in a repository. */
export interface HostBuilds {
  readonly checkRuns: HostCheckRun[];
  readonly statuses: HostStatus[];
  readonly workflowRuns: HostWorkflowRun[];
  readonly requirements: HostRequirement[];
  /** Whether a branch must have the newest commit of its base. */
  strict: boolean;
}

export function noBuilds(): HostBuilds {
  return { checkRuns: [], statuses: [], workflowRuns: [], requirements: [], strict: false };
}

/** Where the logs of jobs are kept. */
export interface HostLogs {
  /** The address of a log, valid for anyone who has it. */
  addressOf(run: HostCheckRun): string;
}
