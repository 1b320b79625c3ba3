import type { ChangedFile, Finding } from '@sluice/core/change';
import { isTestFile } from './belongs-to-tests.ts';
import type { ComparedTests } from './compared-tests.ts';
import { plainName, subjectOf } from './subject-of.ts';
import type { TestCase } from './test-case.ts';

/**
 * Tests that replace what they test, and not only what that needs: the function whose result they check, the class or the module
 * that their file is named after. By themselves, or in a preparation of the groups around them.
 */
export function replacedSubjects(files: readonly ChangedFile[], { kept, added }: ComparedTests): Finding[] {
  const groupsBefore = groupCode(kept.map(({ before }) => before));
  const groupsAfter = groupCode([...kept.map(({ after }) => after), ...added]);
  const inTests = kept.flatMap(({ before, after }): Finding[] => {
    if (after.isGroup || after.skip === 'always') return [];
    const old = `${groupsBefore(before)}\n${before.code}`;
    const now = `${groupsAfter(after)}\n${after.code}`;
    if (old === now) return [];
    const had = new Set(replacedIn(old));
    const isSubject = (name: string) =>
      [before, after].every((test) => isCalled(name, test)) || name === subjectOf(after.path);
    const name = replacedIn(now).find((one) => !had.has(one) && isSubject(one));
    return name === undefined ? [] : [finding(after, `The test "${after.name}" replaces what it tests: \`${name}\`.`)];
  });
  return [...inTests, ...mockedModules(files), ...sharedDoubles(files, { kept, added })];
}

/** Doubles of the class that a file is named after, beside its tests: in a fixture, or for all of them. */
function sharedDoubles(
  files: readonly ChangedFile[],
  { kept, added }: Pick<ComparedTests, 'kept' | 'added'>,
): Finding[] {
  const old = Map.groupBy(
    kept.map(({ before }) => before),
    ({ path }) => path,
  );
  const now = Map.groupBy([...kept.map(({ after }) => after), ...added], ({ path }) => path);
  return files.flatMap(({ path, before, after }): Finding[] => {
    if (before === null || after === null || before === after || !old.has(path)) return [];
    const doubles = (code: string) =>
      namesBy(DOUBLES, code).filter((name) => plainName(name) === subjectOf(path)).length;
    const outside = (code: string, tests: readonly TestCase[] = []) =>
      doubles(code) === 0 ? 0 : doubles(code) - tests.reduce((sum, test) => sum + doubles(test.code), 0);
    if (outside(after, now.get(path)) <= Math.max(0, outside(before, old.get(path)))) return [];
    return [finding({ path, line: null }, `The file replaces what it tests: \`${subjectOf(path)}\`.`)];
  });
}

function finding({ path, line }: Pick<Finding, 'path' | 'line'>, detail: string): Finding {
  return { kind: 'assertion_weakened', path, line, detail };
}

/** The code of the groups around a test, without the tests in them. */
function groupCode(tests: readonly TestCase[]): (test: TestCase) => string {
  const groups = new Map(
    tests.filter(({ isGroup }) => isGroup).map(({ path, name, code }) => [`${path}\n${name}`, code]),
  );
  return ({ path, name }) => {
    const titles = name.split(' > ');
    return titles
      .map((_, at) => groups.get(`${path}\n${titles.slice(0, at).join(' > ')}`) ?? '')
      .join('\n')
      .slice(0, MAX_PREPARATION_LENGTH);
  };
}

const MAX_PREPARATION_LENGTH = 5_000; // characters of what prepares a test

/** How a function is replaced: its name is the first group. What calls the original is only watched. */
const REPLACES = [
  /\bpatch(?:\.object)?\(\s*(?:[\w.]+,\s*)?f?["'](?:[\w.{}]*\.)?(\w+)["'](?![^\n]*\bwraps=)/g,
  /\bsetattr\(\s*(?:[\w.]+,\s*)?["'](?:[\w.]*\.)?(\w+)["']/g,
  /\bspyOn\(\s*[\w.]+,\s*["'](\w+)["']\s*\)\s*\.(?:mock(?:Return|Resolved|Rejected|Implementation)|and\.(?:return|resolve|callFake))/g,
  /\b(?:mock\.method|(?:sinon|sandbox)\.(?:stub|replace))\(\s*[\w.]+,\s*["'](\w+)["']/g,
  /[\w\])]\.(\w+)\s*=\s*(?:(?:jest|vi)\.fn|sinon\.(?:stub|fake)|(?:\w+\.)*(?:Async|Magic)?Mock\(|lambda\b|(?:async\s*)?\([^()\n]*\)\s*=>)/g,
  /(?<!have_)\breceive\(:(\w+)\)(?![^\n]*and_(?:call_original|wrap_original))/g,
  /\breceive_messages\((\w+):/g,
  /\.(?:stubs?|expects|define_singleton_method)[ (]+:(\w+)/g,
  /\b(?:when|given)\(\s*[\w.]+\.(\w+)\(|\.when\(\s*\w+\s*\)\s*\.(\w+)\(|\b(?:every|coEvery)\s*\{\s*[\w.]+\.(\w+)\(/g,
];
/** The same for a class. */
const DOUBLES =
  /\bmockk?(?:<(\w+)>\(|\(\s*(\w+)(?:\.class|::class))(?![^\n]*CALLS_REAL_METHODS)|@(?:Mock|MockK|MockBean|MockitoBean)\s+(?:(?:private|lateinit|var|val)\s+)*(?:\w+\s*:\s*)?(\w+)|\b(?:instance_double|class_double|create_autospec)\(\s*["']?(\w+)|Mock\(\s*spec(?:_set)?=(\w+)/g;
const MAX_REPLACED = 20; // of one kind in one test

function replacedIn(code: string): string[] {
  const functions = REPLACES.flatMap((form) => namesBy(form, code));
  const classes = namesBy(DOUBLES, code).map(plainName);
  return [...functions.filter((name) => !SURROUNDINGS.test(name)), ...classes];
}

function namesBy(form: RegExp, code: string): string[] {
  return Array.from(code.matchAll(form).take(MAX_REPLACED), ([, ...names]) => names.find((name) => name) ?? '');
}

/** What a test needs to be the same each time. */
const SURROUNDINGS =
  /^(?:(?:utc)?now|today|time|monotonic|sleep|getTime|random\w*|rand\w*|choice|shuffle|uuid\w*|fetch|open|exit|cwd|getenv|environ|log|warn|error|info|debug|stdout|stderr)$/;

/** Whether a test calls a function, apart from what says that it was called. */
function isCalled(name: string, { bare }: TestCase): boolean {
  const code = [...REPLACES, WAS_CALLED].reduce((left, form) => left.replaceAll(form, ' '), bare);
  return new RegExp(
    `(?<![\\w$"':@])${name}[!?]?\\(|\\b(?:expect|assert\\w*)\\b[^\\n]{0,300}\\.${name}[!?]?(?![\\w.(=])`,
  ).test(code);
}

const WAS_CALLED =
  /\bverify\([^\n]*|\bhave_received\([^\n]*|\bexpect\([\w.]+\)\.(?:not\.)?toHaveBeenCalled[^\n]*|\.assert_\w*(?:called|awaited)\w*\([^\n]*/g;

const MOCKED =
  /\b(?:jest|vi)\.(?:mock|doMock|setMock|unstable_mockModule)\(\s*(?:import\(\s*)?["'](\.[^"']*)["']|\bmock\.module\(\s*["'](\.[^"']*)["']/g;
const RELATIVE = /\b(?:from|require\(|import\()\s*["'](\.[^"']*)["']/g;

/** Modules of JavaScript that are replaced for a whole file: the one that it is named after, or the only one that it imports. */
function mockedModules(files: readonly ChangedFile[]): Finding[] {
  return files.flatMap(({ path, before, after }): Finding[] => {
    if (before === null || after === null || !/\.[cm]?[jt]sx?$/.test(path) || !isTestFile(path)) return [];
    const had = new Set(namesBy(MOCKED, before));
    const imported = new Set(namesBy(RELATIVE, before));
    const isSubject = (module: string) =>
      imported.has(module) && (imported.size === 1 || subjectOf(module) === subjectOf(path));
    const name = namesBy(MOCKED, after).find((module) => !had.has(module) && isSubject(module));
    if (name === undefined) return [];
    const line = after
      .slice(0, after.search(new RegExp(`\\w\\(\\s*(?:import\\()?["']${name.replaceAll(/[.$]/g, '\\$&')}`)))
      .split('\n').length;
    return [finding({ path, line }, `The file replaces the module that it tests: \`${name}\`.`)];
  });
}
