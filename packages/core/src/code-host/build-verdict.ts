import type { BuildCheck, BuildCheckState, HostedBuild } from './hosted-build.ts';

/** `stale`: of another commit than the current head. `none`: nothing is reported, and nothing is required. */
const buildVerdictStates = ['none', 'pending', 'success', 'failure', 'cancelled', 'stale'] as const;
export type BuildVerdictState = (typeof buildVerdictStates)[number];

export interface BuildVerdict {
  readonly state: BuildVerdictState;
  /** The checks that count and failed, also while others are pending. A failed job stands for the run that it is part of. */
  readonly failed: readonly BuildCheck[];
  /** The checks that failed and do not count. */
  readonly optionalFailed: readonly BuildCheck[];
  /** Required names that no check has been reported for. */
  readonly missing: readonly string[];
}

const ends: Readonly<Record<BuildCheckState, 'pending' | 'passed' | 'failed' | 'interrupted'>> = {
  pending: 'pending',
  success: 'passed',
  neutral: 'passed',
  skipped: 'passed', // the host lets a skipped check pass, required or not
  failure: 'failed',
  cancelled: 'interrupted',
  stale: 'interrupted',
};

/**
 * The build's verdict on a commit. If the base branch requires checks, only those count; otherwise, or when that is not
 * known, all do. The verdict waits for all checks that count, because a fix should know of every failure; then a
 * failure counts more than a cancelled check, which may have been cancelled because of the failure.
 *
 * @param head the current head of the branch: a build of any other commit is `stale`
 */
export function buildVerdict(build: HostedBuild, head: string): BuildVerdict {
  const required = build.required ?? [];
  const counts = ({ required: isRequired }: BuildCheck) => required.length === 0 || isRequired;
  const counting = build.checks.filter(counts);
  const reported = new Set(counting.map(({ name }) => name));
  const missing = required.filter((name) => !reported.has(name));
  const allFailed = withoutTheirRuns(build.checks.filter(({ state }) => ends[state] === 'failed'));
  const has = (end: (typeof ends)[BuildCheckState]) => counting.some(({ state }) => ends[state] === end);
  const stateOf = (): BuildVerdictState => {
    if (build.commit !== head) return 'stale';
    if (missing.length > 0 || !build.complete || has('pending')) return 'pending';
    if (has('failed')) return 'failure';
    if (has('interrupted')) return 'cancelled';
    return counting.length === 0 ? 'none' : 'success';
  };
  return {
    state: stateOf(),
    failed: allFailed.filter(counts),
    optionalFailed: allFailed.filter((check) => !counts(check)),
    missing,
  };
}

/** A run of a workflow fails with its jobs: it is named only when none of them is, as when it could not start. */
function withoutTheirRuns(failed: readonly BuildCheck[]): BuildCheck[] {
  const runs = new Set(failed.map(({ partOf }) => partOf));
  return failed.filter(({ id }) => !runs.has(id));
}
