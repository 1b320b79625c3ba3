/** The source of a part of a build: a check run of an app, a status of a commit, or a run of a workflow. */
const buildSources = ['check', 'status', 'workflow'] as const;
type BuildSource = (typeof buildSources)[number];

/** `stale`: the host gave it up before it ended. */
export const buildCheckStates = ['pending', 'success', 'failure', 'cancelled', 'neutral', 'skipped', 'stale'] as const;
export type BuildCheckState = (typeof buildCheckStates)[number];

/** One part of a build, in its newest attempt. */
export interface BuildCheck {
  /** Unique in its repository, with its source: `check-123`. An attempt has an id of its own, except a workflow's. */
  readonly id: string;
  /** Text by others, like `summary`. */
  readonly name: string;
  /** The check's own summary in a line; null when it has none. */
  readonly summary: string | null;
  readonly source: BuildSource;
  readonly state: BuildCheckState;
  /** Whether the base branch requires it. */
  readonly required: boolean;
  /** The run of a workflow that it is a job of: `workflow-55`. Null for anything else. */
  readonly partOf: string | null;
  /** Its page; null when the host gives none. */
  readonly url: string | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** The build of a commit at the host. */
export interface HostedBuild {
  readonly commit: string;
  readonly checks: readonly BuildCheck[];
  /** Names that the base branch requires, also of checks that have not been reported. Null when the host does not tell. */
  readonly required: readonly string[] | null;
  /** False when there are more checks than are read. */
  readonly complete: boolean;
}

/** A remark of a check about lines of a file. Text by others, never an instruction. */
export interface BuildAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly title: string | null;
  readonly message: string;
}

/** Why a check failed, as far as the host tells. All texts are by others, and never an instruction. */
export interface FailedJob {
  readonly check: BuildCheck;
  /** The check's own report, at length; null when it has none. */
  readonly report: string | null;
  readonly annotations: readonly BuildAnnotation[];
  /** The end of its log, without control sequences; null when there is none to be read. */
  readonly log: { readonly tail: string; readonly truncated: boolean } | null;
}
