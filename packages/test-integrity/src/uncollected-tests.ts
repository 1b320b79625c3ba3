import type { Finding } from '@sluice/core/change';
import type { ComparedTests } from './compared-tests.ts';
import { listedTests } from './listed-tests.ts';

/** Tests that are still there and that their runner no longer finds, because their file, their class or they were renamed. */
export function uncollectedTests({ kept }: ComparedTests): Finding[] {
  const lost = kept
    .filter(({ before, after }) => !after.isGroup && before.isCollected && !after.isCollected)
    .map(({ after }) => after);
  return [...Map.groupBy(lost, ({ path }) => path)].map(([path, tests]) => {
    const [first] = tests;
    const what = tests.length === 1 ? 'The runner no longer finds the test' : 'The runner no longer finds tests';
    return {
      kind: 'test_skipped',
      path,
      line: first?.line ?? null,
      detail: `${what}, unless it is told where: ${listedTests(tests)}.`,
    };
  });
}
