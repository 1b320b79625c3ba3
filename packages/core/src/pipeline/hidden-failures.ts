import { listed } from './test-facts.ts';
import type { TestRun } from './test-report.ts';

/** Why more may fail in a run than the tests that it names, as a sentence; null where it names all. */
export function hiddenFailures({ broken = [] }: TestRun): string | null {
  if (broken.length === 0) return null;
  return `What could not be loaded, built or run to its end hides what its tests would do: ${listed(broken)}.`;
}
