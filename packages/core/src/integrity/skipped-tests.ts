import type { ComparedTests } from './compared-tests.ts';
import type { Finding } from './finding.ts';
import type { TestCase } from './test-case.ts';

/** Tests that ran before and are skipped now, and new tests that never run. */
export function skippedTests({ kept, added }: ComparedTests): Finding[] {
  const found = kept.flatMap(({ before, after }): Finding[] => {
    if (after.skip === null || before.skip === 'always' || before.skip === after.skip) return [];
    if (after.skip === 'conditional' && namesOtherSystem(after, before)) return [];
    const when = after.skip === 'conditional' ? ' under a condition' : '';
    return [finding('test_skipped', after, `${what(after)} is skipped${when}, and was not before`)];
  });
  const fresh = added.filter(
    (test) => test.skip === 'always' && (test.isGroup ? test.name === WHOLE : /[{:]|\bdo\b/.test(test.bare)),
  );
  // A mark of the file is no test that was there before, though the tests below it were.
  const marked = added.filter(
    ({ name, path, skip, code }) =>
      name === WHOLE &&
      skip === 'conditional' &&
      /importorskip/.test(code) &&
      kept.some(({ after }) => after.path === path),
  );
  return [
    ...found,
    ...fresh.map((test) => finding('test_skipped', test, `${what(test)} is new and never runs`)),
    ...marked.map((test) => finding('test_skipped', test, `${what(test)} is skipped where a module is missing`)),
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

/** What a test cannot do on another system is its author's daily business; this service runs it on Linux. */
function namesOtherSystem({ code }: TestCase, before: TestCase): boolean {
  const added = code.split('\n').filter((line) => !before.code.includes(line.trim()));
  const condition = added.filter((line) => /skip|ignore|cfg|if\b|Disabled|Enabled|go:build/i.test(line)).join('\n');
  return (
    /win32|windows|darwin|macos|\bmac\b|version|node_?version|\bgo1\.|platform\.node|miri|wasm|process\.versions/i.test(
      condition,
    ) && !/linux|unix|posix/i.test(condition)
  );
}

const WHOLE = '(the file)';

const what = ({ isGroup, name }: TestCase) =>
  name === WHOLE ? 'The whole file' : `The ${isGroup ? 'group' : 'test'} "${name}"`;

function finding(kind: Finding['kind'], { path, line }: TestCase, detail: string): Finding {
  return { kind, path, line, detail: `${detail}.` };
}
