import type { ComparedTests } from './compared-tests.ts';
import type { Finding } from './finding.ts';
import type { TestCase } from './test-case.ts';

/** Tests that ran before and are skipped now, and new tests that never run. */
export function skippedTests({ kept, added }: ComparedTests): Finding[] {
  const found = kept.flatMap(({ before, after }): Finding[] => {
    if (!isSkipped(after) || before.skip === 'always' || before.skip === after.skip) return [];
    const when = after.skip === 'conditional' ? ' under a condition' : '';
    return [finding('test_skipped', after, `${what(after)} is skipped${when}, and was not before`)];
  });
  const fresh = added.filter(
    (test) => test.skip === 'always' && (test.isGroup ? test.name === WHOLE : /[{:]|\bdo\b/.test(test.bare)),
  );
  // A mark of the file is no test that was there before, though the tests below it were.
  const ran = new Set(
    kept.filter(({ before }) => !before.isGroup && !isSkipped(before)).map(({ after }) => after.path),
  );
  const marked = added.filter(({ name, path, skip }) => name === WHOLE && skip === 'conditional' && ran.has(path));
  return [
    ...found,
    ...fresh.map((test) => finding('test_skipped', test, `${what(test)} is new and never runs`)),
    ...marked.map((test) =>
      finding('test_skipped', test, `${what(test)} is skipped under a condition, and was not before`),
    ),
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

const WHOLE = '(the file)';

const what = ({ isGroup, name }: TestCase) =>
  name === WHOLE ? 'The whole file' : `The ${isGroup ? 'group' : 'test'} "${name}"`;

function finding(kind: Finding['kind'], { path, line }: TestCase, detail: string): Finding {
  return { kind, path, line, detail: `${detail}.` };
}
