import { stopsAtFailure } from './stops-at-failure.ts';
import { listed } from './test-facts.ts';
import type { TestGap, TestRun } from './test-report.ts';

const gaps = {
  stopped: 'The tests stop at a failure, so more may fail behind it.',
  unnamed: 'More tests fail than the output names.',
} as const satisfies Record<TestGap, string>;

/** Why more may fail in a run than the tests that it names, as a sentence; null where it names all. */
export function hiddenFailures({ command, failing, broken = [], gap = null }: TestRun): string | null {
  if (broken.length > 0) {
    return `What could not be loaded, built or run to its end hides what its tests would do: ${listed(broken)}.`;
  }
  if (failing.length > 0 && stopsAtFailure(command)) return gaps.stopped;
  return gap === null ? null : gaps[gap];
}
