import type { BuildVerdict } from '../code-host/build-verdict.ts';
import type { BuildCheck } from '../code-host/hosted-build.ts';
import type { RepoSettings } from '../repo/repo.ts';

/** What decides whether a failed build is fixed. */
export interface FailedBuild {
  readonly verdict: BuildVerdict;
  /** Names of checks that fail at the base branch. */
  readonly failingAtBase: ReadonlySet<string>;
  readonly follows: RepoSettings['follow_build'];
  /** The head that was built is the last commit that Sluice pushed to the pull request: no person has pushed since. */
  readonly isOurs: boolean;
  /** A follow-up was made for this head before, whatever became of it. */
  readonly isTried: boolean;
  /** Follow-ups of builds that the pull request has had. */
  readonly rounds: number;
  readonly mostRounds: number;
}

/**
 * The action on a build: nothing, a follow-up that fixes these checks, or no more (`give_up`). Only failures of the
 * change itself are fixed, at a head of ours, once for each head. A verdict that waits for checks is no failure yet.
 */
export function answerBuild(
  build: FailedBuild,
): { readonly kind: 'none' | 'give_up' } | { readonly kind: 'fix'; readonly checks: readonly BuildCheck[] } {
  const { verdict, follows, isOurs, isTried, rounds, mostRounds } = build;
  const isWanted = follows === 'fix' && mostRounds > 0 && verdict.state === 'failure';
  const checks = verdict.failed.filter(({ name }) => !build.failingAtBase.has(name));
  if (!isWanted || !isOurs || isTried || checks.length === 0) return { kind: 'none' };
  return rounds < mostRounds ? { kind: 'fix', checks } : { kind: 'give_up' };
}
