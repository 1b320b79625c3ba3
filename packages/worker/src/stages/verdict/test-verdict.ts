import type { FlakyTest, TestReport, TestRun, TouchedTests } from '@sluice/core/pipeline';
import { listed } from '@sluice/core/pipeline';
import { gaps, hiddenFailures } from './hidden-failures.ts';
import { missingTests, notRun } from './missing-tests.ts';

/** The runs of a change's tests, and what their failures are judged by. */
export interface JudgedRuns {
  /** The runs at the head, in order. There is more than one where new failures were run again. */
  readonly heads: readonly [TestRun, ...TestRun[]];
  readonly base: TestRun | null;
  readonly allowRedBase: boolean;
  /** Whether a model wrote the change. What the built-in model wrote passes red only where the repository allows it. */
  readonly byModel: boolean;
  /** Failing tests that the issue, the plan or a review names as what is to be fixed (`namedTests`). */
  readonly mustPass: readonly string[];
  /** The change's effect on tests in the sources; none where it is absent. */
  readonly touched?: TouchedTests;
}

const MAX_NOT_RUN = 100; // evidence: people read no more

/**
 * Compares the test runs at the head with the one at the base. A green run passes. A red one passes as `red_as_before` if
 * every failing test is known by name and failed at the base too, each time, and none of them is to be fixed: a false "done"
 * is worse than none. A run with unparsed output has no names, and one that counts more failures than it names, or in which
 * something failed that is no test, may hide a new one, so none of them passes red. Neither does one with which fewer tests
 * ran, unless the change removes them.
 *
 * Of several runs the first one that passes decides. What failed in one run and not in another is flaky, which is always
 * said: it is no verdict.
 */
export function judgeTests(runs: JudgedRuns): TestReport {
  const { heads, base, mustPass } = runs;
  const judged = heads.map((head) => ({ head, ...judgedHead(runs, head) }));
  const deciding = judged.find(({ verdict }) => verdict !== 'red') ?? judged.at(-1);
  const { head: decided, verdict, because } = deciding ?? { head: heads[0], ...RED };
  const failedBefore = failedAtBase(base, decided);
  const missing = missingTests(decided, base, runs.touched);
  return {
    command: decided.command,
    verdict,
    red_because: because,
    exit_code: decided.exit_code,
    duration_ms: decided.duration_ms,
    base_exit_code: base?.exit_code ?? null,
    new_failures: newFailures(runs, decided),
    counts: decided.counts ?? null,
    base_counts: base?.counts ?? null,
    failed_before: decided.failing.filter((name) => failedBefore.has(name)),
    must_pass: decided.failing.filter((name) => mustPass.includes(name)),
    flaky: flakyTests(heads),
    not_run: notRun(decided, base).slice(0, MAX_NOT_RUN),
    missing: verdict === 'red' ? [] : [missing.byNumber, missing.byName].filter((sentence) => sentence !== null),
  };
}

/**
 * The names of what failed at the base, and those under which it fails at the head in a file that was moved. A test that is
 * flaky at the base excuses no failure at the head.
 */
function failedAtBase(base: TestRun | null, head: TestRun): ReadonlySet<string> {
  const flaky = new Set(base?.flaky ?? []);
  const known = new Set((base?.failing ?? []).filter((name) => !flaky.has(name)));
  const here = new Set([...head.failing, ...(head.passing ?? [])]);
  const left = [...known].filter((name) => !here.has(name));
  const moved = head.failing.filter((name) => {
    const title = titleInFile(name);
    const at = known.has(name) || title === null ? -1 : left.findIndex((old) => titleInFile(old) === title);
    if (at >= 0) left.splice(at, 1); // each stands for one
    return at >= 0;
  });
  return new Set([...known, ...moved]);
}

/** A test's name without its file; null where it has none. */
function titleInFile(name: string): string | null {
  return /^\S+\.\w+(?: > |::)(.+)$/.exec(name)?.[1] ?? null;
}

/** The failures that are new in every run, or in the deciding one where each run has others. */
function newFailures({ heads, base }: JudgedRuns, decided: TestRun): string[] {
  if (decided.exit_code === 0) return [];
  const before = failedAtBase(base, decided);
  const isNew = (name: string) => !before.has(name);
  const always = decided.failing.filter((name) => isNew(name) && heads.every(({ failing }) => failing.includes(name)));
  return always.length > 0 ? always : decided.failing.filter(isNew);
}

interface Judged {
  readonly verdict: TestReport['verdict'];
  /** Why failures of which none is new are no excuse. */
  readonly because: string | null;
}

const RED: Judged = { verdict: 'red', because: null };

function judgedHead(runs: JudgedRuns, head: TestRun): Judged {
  const { heads, base, allowRedBase, byModel, mustPass, touched } = runs;
  // A test that is to be fixed must not fail in any run.
  const isUnfixed = byModel && heads.some(({ failing }) => failing.some((name) => mustPass.includes(name)));
  if (isUnfixed) return RED;
  if (head.exit_code === 0) return { verdict: 'green', because: null };
  // A run without an exit code was ended by a limit, so its list of failures is incomplete.
  const endedByItself = [head, base].every((run) => run?.ended_by === null && run.exit_code !== null);
  const bothRead = (head.unread ?? null) === null && (base?.unread ?? null) === null;
  const baseWasRed = base !== null && base.exit_code !== 0;
  const before = failedAtBase(base, head);
  const allBefore = head.failing.length > 0 && head.failing.every((name) => before.has(name));
  if (!endedByItself || !bothRead || !baseWasRed || !allBefore) return RED;
  const because =
    hiddenFailures(head) ??
    (unnamed(head) > unnamed(base) ? gaps.unnamed : null) ??
    newlyFailedParts(head, base) ??
    missingTests(head, base, touched).byNumber;
  if (because !== null) return { verdict: 'red', because };
  return byModel || allowRedBase ? { verdict: 'red_as_before', because } : RED;
}

/** A part of the command may fail before its tests, as a compiler does: then a known failure of another part excuses nothing. */
function newlyFailedParts(head: TestRun, { failed_parts }: TestRun): string | null {
  const known = new Set(failed_parts);
  const failed = (head.failed_parts ?? []).filter((part) => !known.has(part));
  if (failed_parts === undefined || failed.length === 0) return null;
  return `The tests of ${listed(failed)} failed with the change and not at the base, although no new failure has a name.`;
}

function flakyTests(heads: readonly TestRun[]): FlakyTest[] {
  const names = [...new Set(heads.flatMap(({ failing }) => failing))];
  return names
    .map((name) => ({ name, failed: heads.filter(({ failing }) => failing.includes(name)).length, runs: heads.length }))
    .filter(({ failed, runs }) => failed < runs);
}

/** Failures that a run counts and does not name. Some runners count one test twice, at the base as well. */
function unnamed(run: TestRun): number {
  return Math.max(0, (run.counts?.failed ?? 0) - run.failing.length);
}
