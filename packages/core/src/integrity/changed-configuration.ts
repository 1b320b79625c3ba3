import type { ChangedFile } from './changed-file.ts';
import type { Finding } from './finding.ts';
import { isCheckConfiguration } from './is-check-configuration.ts';

const EXCLUDES =
  /\b(exclude|excludes|testPathIgnorePatterns|modulePathIgnorePatterns|watchPathIgnorePatterns|ignore|ignores|testIgnore|norecursedirs|excludeSpecPattern|collect_ignore(?:_glob)?)["']?\s*[:=]\s*/g;
const INCLUDES =
  /\b(include|includes|testMatch|testRegex|specs?|testpaths|python_files|python_classes|python_functions|testDir|roots|specPattern|tests)["']?\s*[:=]\s*/g;
const PATTERNS = /\b(testMatch|testRegex|testPathPatterns?|testpaths|python_files)["']?\s*[:=]\s*/g;
/** What says of a pattern that it takes all tests; a name that is left stands for some of them. */
const ANY = /rootDir|__tests__|tests?|specs?|src|lib|packages|apps|unit|integration|e2e|\b[cm]?[jt]sx?\b|\bpy\b/gi;
const NAMED = /[a-z]{2}/i;
/** Folders that hold no tests of one's own. */
const USUAL =
  /node_modules|\bdist\b|\bbuild\b|\bcoverage\b|\bout\b|\btarget\b|\.git\b|\bvendor\b|\bfixtures?\b|__fixtures__|\.next|venv|\btmp\b|generated|\bdocs?\b|\bbench/i;

const SWITCHES: readonly RegExp[] = [
  /\bpassWithNoTests["']?\s*[:=]\s*true/,
  /\ballowOnly["']?\s*[:=]\s*true/,
  /\bforbidOnly["']?\s*[:=]\s*false/,
  /\bxfail_strict\s*=\s*false/i,
  /<skipTests>\s*true|<maven\.test\.skip>\s*true|<testFailureIgnore>\s*true/,
  /\bignoreFailures\s*=\s*true/,
  /^[ \t]*test[ \t]*=[ \t]*false/m,
  /\bignore_outcome\s*=\s*true/,
  /\bdef\s+pytest_(?:collection_modifyitems|ignore_collect|runtest_makereport)\b/,
  /^collect_ignore\w*\s*=/m,
];

/** Configurations of test runners by which fewer tests run. */
export function changedConfiguration(files: readonly ChangedFile[]): Finding[] {
  return files.flatMap(({ path, before, after }): Finding[] => {
    if (before === null || after === null || !RUNNER.test(path) || !isCheckConfiguration(path)) return [];
    const [old, now] = [withoutCoverage(before), withoutCoverage(after)];
    const on = SWITCHES.find((pattern) => pattern.test(now) && !pattern.test(old));
    const had = new Set(valuesOf(old, EXCLUDES));
    const left = new Set(valuesOf(now, INCLUDES));
    const excluded = valuesOf(now, EXCLUDES).filter((value) => !had.has(value) && !USUAL.test(value));
    const dropped = valuesOf(old, INCLUDES).filter((value) => !left.has(value));
    const narrow =
      valuesOf(old, INCLUDES).length > 0
        ? []
        : valuesOf(now, PATTERNS).filter((value) => NAMED.test(value.replaceAll(ANY, '')));
    const details = [
      ...(on === undefined ? [] : [`\`${on.exec(now)?.[0].trim()}\` is new: tests are left out, or may be missing.`]),
      ...(excluded.length === 0 ? [] : [`Tests are left out: \`${excluded.join('`, `')}\`.`]),
      ...(narrow.length === 0 ? [] : [`Tests are looked for only in \`${narrow.join('`, `')}\`.`]),
      ...(dropped.length === 0 ? [] : [`Tests are no longer looked for in \`${dropped.join('`, `')}\`.`]),
    ];
    return details.map((detail) => ({ kind: 'test_config_changed', path, line: null, detail }));
  });
}

/** Where `exclude` is about tests: in `tsconfig.json` or a linter's configuration it is not. */
const RUNNER =
  /(?:^|\/)(?:package\.json|(?:jest|vitest|vite|playwright|cypress|karma|ava|mocha|wdio|web-test-runner|tap|jasmine)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|json)|\.mocharc\.\w+|\.taprc|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|conftest\.py|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** What is left out of the coverage is still tested, and a section of another tool's is not about tests at all. */
function withoutCoverage(text: string): string {
  const plain = text.replaceAll(/\bcoverage["']?\s*:\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, '');
  const sections = plain.split(/^(?=\[{1,2}[\w.:"' -]+\]{1,2}[ \t]*$)/m);
  return sections.filter((section) => !/^\[/.test(section) || TEST_SECTION.test(section)).join('');
}

const TEST_SECTION = /^\[{1,2}(?:tool[.:])?(?:pytest|lib|test|bin|testenv|nosetests|unittest)\b/;

const MOST_KEYS = 100; // of one file

function valuesOf(text: string, keys: RegExp): string[] {
  return Array.from(text.matchAll(keys).take(MOST_KEYS)).flatMap(({ index, 0: head }) => {
    const rest = text.slice(index + head.length, index + head.length + 4_000);
    const value = /^\[[^\]]*\]|^\n(?:[ \t]*-[ \t]*[^\n]*\n?)+|^\n(?:[ \t]+[^\n]*\n?)+|^[^\n]*/.exec(rest)?.[0] ?? '';
    const texts = Array.from(
      value.matchAll(/"([^"\n]*)"|'([^'\n]*)'|^[ \t]*-[ \t]*([^\s"'][^\n]*)$/gm),
      ([, a, b, c]) => a ?? b ?? c ?? '',
    );
    const plain = texts.length > 0 || /^[[{]/.test(value) ? texts : value.trim().split(/\s+/);
    return plain.filter((one) => one !== '' && !/^(?:true|false)$/.test(one));
  });
}
