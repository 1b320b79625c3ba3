import type { TestGap, TestRun } from '@sluice/core/pipeline';
import { listed } from '@sluice/core/pipeline';
import { stopsAtFailure } from '@sluice/core/stops-at-failure';

/** Why a run does not name all failures, as sentences. */
export const gaps = {
  stopped: 'The test run stops after a failure, so tests after it may fail too.',
  unnamed: 'More tests fail than the output names.',
} as const satisfies Record<TestGap, string>;

/** Why more may fail in a run than the tests that it names, as a sentence; null where it names all. */
export function hiddenFailures({ command, failing, broken = [], gap = null }: TestRun): string | null {
  if (broken.length > 0) {
    return `These could not be loaded, built or run to the end, so the results of their tests are unknown: ${listed(broken)}.`;
  }
  if (failing.length > 0 && stopsAtFailure(command)) return gaps.stopped;
  return gap === null ? null : gaps[gap];
}
