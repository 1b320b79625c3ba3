import type { ChangedFile } from '@sluice/core/change';
import type { TouchedTests } from '@sluice/core/pipeline';
import { belongsToTests, isTestFile } from './belongs-to-tests.ts';
import { PLACEHOLDER } from './fits-title.ts';
import { readTests } from './read-tests.ts';
import type { TestCase } from './test-case.ts';

const MAX_TITLES = 2_000;
const UNREAD =
  /\.(?:swift|dart|scala|groovy|bats|sh|lua|c|cc|cpp|cxx|m|mm|clj|cljs|hs|ml|ex|jl|zig|nim|pl|t|fs|vb|cr|feature)$/;

/** Compares the tests in the files of a change, file by file, so that a test that was moved is touched at both places. */
export function touchedTests(files: readonly ChangedFile[]): TouchedTests {
  const compared = files.filter(({ before, after }) => before !== after).map(compare);
  const titles = compared.flatMap((file) => file.titles).slice(0, MAX_TITLES);
  const isUnread = files.some(({ path }) => UNREAD.test(path) && belongsToTests(path));
  const isCounted = !isUnread && compared.every((file) => file.isCounted);
  return {
    titles: isUnread ? null : [...new Set(titles)],
    more: isCounted ? compared.reduce((sum, { more }) => sum + more, 0) : null,
  };
}

interface ComparedFile {
  readonly titles: readonly string[];
  readonly more: number;
  readonly isCounted: boolean;
}

function compare(file: ChangedFile): ComparedFile {
  const { path } = file;
  const before = readTests(path, file.before);
  const after = readTests(path, file.after);
  const left = new Set(after.map(keyOf));
  // The rows of a table may stand beside the tests.
  const isBesideEdited = besideTests(file.before, before) !== besideTests(file.after, after);
  const touched = before.filter(
    (test) => !left.has(keyOf(test)) || (isBesideEdited && !test.isGroup && isSeveral(test)),
  );
  const examples = docExamples(path, file.before) - docExamples(path, file.after);
  // A runner may count a file that has no tests for one.
  const gone = file.after === null && before.length === 0 && isTestFile(path) ? 1 : 0;
  const tables = [...touched.filter(({ isGroup }) => !isGroup), ...(touched.length > 0 ? groupsIn(before) : [])];
  return {
    titles: [...touched.map(({ name }) => titleOf(name)), ...(examples === 0 ? [] : [`${path} - %s`])],
    more: counted(after) - counted(before) - examples - gone,
    isCounted: !tables.some(isSeveral),
  };
}

const IMPORT = /^(?:import|from|use|using|package|require|const .* = require)\b/;

/** The lines of a source that belong to no test, without what it imports. */
function besideTests(source: string | null, tests: readonly TestCase[]): string {
  const inside = new Set(tests.flatMap(({ code }) => linesOf(code)));
  return linesOf(source ?? '')
    .filter((line) => !inside.has(line) && !IMPORT.test(line))
    .join('\n');
}

/** Without what ends a statement, of which a test's code has less. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/[;,)}\]]{1,20}$/, ''))
    .filter((line) => line !== '');
}

/** A group's code is that around its tests, of which only marks are left. */
function keyOf({ name, code, isGroup, skip }: TestCase): string {
  return [name, skip, isGroup ? code.replaceAll(/[\s;,]/g, '') : code].join('\n');
}

function titleOf(name: string): string {
  const title = name.split(' > ').at(-1) ?? name;
  return title.replace(/ \(\d+\)$/, '');
}

function counted(tests: readonly TestCase[]): number {
  return tests.filter(({ isGroup, skip }) => !isGroup && skip !== 'always').length;
}

function groupsIn(tests: readonly TestCase[]): TestCase[] {
  return tests.filter(({ isGroup }) => isGroup);
}

/** Examples in the documentation of Rust, each of which is a test. */
function docExamples(path: string, source: string | null): number {
  if (source === null || !path.endsWith('.rs')) return 0;
  return Math.floor((source.match(/^[ \t]*\/\/[/!][ \t]*```/gm) ?? []).length / 2);
}

/** What makes several tests of one in the sources. */
const TABLE =
  /\.each\b|\.for\(|parametri[sz]e|Parameterized|Repeated|(?:Csv|Value|Method|Enum|Arguments|TestCase)Source|[dD]ata_?[pP]rovider|InlineData|MemberData|TestCase\(|TestFactory|Theory|\bt\.Run\(|subTest|\brstest\b|\btest_case\b|#\[case/;
const LOOP = /\bfor\b|\bwhile\b|\bforEach\b|\.map\(|\.each\b|\btimes\b/;

function isSeveral({ code, isGroup, language, name }: TestCase): boolean {
  if (TABLE.test(code) || (isGroup && LOOP.test(code))) return true;
  // A title that is made of values stands in a loop.
  return language === 'javascript' && (PLACEHOLDER.test(titleOf(name)) || !/^[^(]*\(\s*["'`]/.test(code));
}
