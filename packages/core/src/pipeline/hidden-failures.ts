import { listed } from './test-facts.ts';
import type { TestGap, TestRun } from './test-report.ts';

const gaps = {
  unnamed: 'More tests fail than the output names.',
} as const satisfies Record<TestGap, string>;

/** Why more may fail in a run than the tests that it names, as a sentence; null where it names all. */
export function hiddenFailures({ broken = [], gap = null }: TestRun): string | null {
  if (broken.length > 0) {
    return `What could not be loaded, built or run to its end hides what its tests would do: ${listed(broken)}.`;
  }
  return gap === null ? null : gaps[gap];
}
