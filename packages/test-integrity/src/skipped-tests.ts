import type { Finding } from '@sluice/core/change';
import type { ComparedTests } from './compared-tests.ts';
import { WHOLE } from './nest-tests.ts';
import type { TestCase } from './test-case.ts';

/** Tests that ran before and are skipped now, and new tests that never run. */
export function skippedTests({ kept, added }: ComparedTests): Finding[] {
  const found = kept.flatMap(({ before, after }): Finding[] => {
    if (!isSkipped(after) || before.skip === 'always' || before.skip === after.skip) return [];
    return [finding('test_skipped', after, `${what(after)} ${isNow(after)}`)];
  });
  const ran = new Set(
    kept.filter(({ before }) => !before.isGroup && !isSkipped(before)).map(({ after }) => after.path),
  );
  const fresh = added.filter(
    (test) =>
      test.skip === 'always' &&
      (test.isGroup
        ? test.name === WHOLE && added.some(({ path, isGroup }) => path === test.path && !isGroup)
        : /[{:]|\bdo\b/.test(test.bare)),
  );
  // A mark of the file is no test that was there before, though the tests below it were.
  // Without tests it prepares those of other files.
  const hasTests = new Set(
    [...kept.map(({ after }) => after), ...added].flatMap((test) => (test.isGroup ? [] : [test.path])),
  );
  const marked = added.filter(
    (test) => test.name === WHOLE && isSkipped(test) && (ran.has(test.path) || !hasTests.has(test.path)),
  );
  return [
    ...found,
    ...marked.map((test) => finding('test_skipped', test, `${what(test)} ${isNow(test)}`)),
    ...fresh
      .filter((test) => !marked.includes(test))
      .map((test) => finding('test_skipped', test, `${what(test)} is new and never runs`)),
  ];
}

/** Tests that keep the others from running. */
export function focusedTests({ kept, added }: ComparedTests): Finding[] {
  const focused = [...added, ...kept.filter(({ before }) => !before.isFocused).map(({ after }) => after)];
  return focused
    .filter(({ isFocused }) => isFocused)
    .map((test) =>
      finding('test_focused', test, `Only ${test.isGroup ? 'the group' : 'the test'} "${test.name}" runs`),
    );
}

const isSkipped = ({ skip }: TestCase) => skip === 'always' || skip === 'conditional';

const isNow = ({ skip }: TestCase) =>
  `is skipped${skip === 'conditional' ? ' under a condition' : ''}, and was not before`;

const what = ({ isGroup, name }: TestCase) =>
  name === WHOLE ? 'The whole file' : `The ${isGroup ? 'group' : 'test'} "${name}"`;

function finding(kind: Finding['kind'], { path, line }: TestCase, detail: string): Finding {
  return { kind, path, line, detail: `${detail}.` };
}
