import type { CodeText } from './code-text.ts';
import { type SetupSkip, setupSkips } from './setup-skips.ts';
import type { Language, Skip, TestCase } from './test-case.ts';

/** A test as a reader of one language found it: from the index `from` to before `to`. */
export interface FoundTest extends Pick<TestCase, 'isGroup' | 'skip' | 'isFocused'> {
  readonly title: string;
  /** Its runner passes over it, whatever its file is called. */
  readonly isHidden?: boolean;
  readonly from: number;
  readonly to: number;
}

/** The tests that are read in one file: a change must not keep the service busy. */
export const MAX_TESTS = 2_000;

const MAX_DEPTH = 12; // groups in groups

/** Puts the tests of a source below the groups that hold them. Each test's code excludes the tests inside it. */
export function nestTests(
  found: readonly FoundTest[],
  { path, text, language }: { readonly path: string; readonly text: CodeText; readonly language: Language },
): TestCase[] {
  const sorted = withPreparations(found, setupSkips(text, language)).sort((a, b) => a.from - b.from || b.to - a.to);
  const isCollected = isCollectedFile(path, text.source);
  const open: Nested[] = [];
  const seen = new Map<string, { times: number; last: Nested }>();
  const made = sorted.map((test) => {
    while (open.length > 0 && (open.at(-1)?.test.to ?? 0) <= test.from) open.pop();
    const parent = open.at(-1);
    parent?.holes.push([test.from, test.to]);
    const title = parent === undefined || open.length > MAX_DEPTH ? test.title : `${parent.name} > ${test.title}`;
    const same = seen.get(title);
    const times = (same?.times ?? 0) + 1;
    // In Python a second function takes the place of the first.
    if (same !== undefined && language === 'python') same.last.isHidden = true;
    const unique = times === 1 ? title : `${title} (${times})`;
    const entry = { test, parent, name: title, unique, isHidden: test.isHidden ?? false, holes: [] };
    seen.set(title, { times, last: entry });
    open.push(entry);
    return entry;
  });
  return made.map(({ test, unique, holes, ...entry }) => ({
    path,
    name: unique,
    line: text.lineAt(test.from),
    isGroup: test.isGroup,
    skip: test.skip,
    isFocused: test.isFocused,
    isCollected: isCollected && !isHidden(entry),
    hasInner: holes.length > 0,
    code: without(text.code, test, holes),
    bare: without(text.bare, test, holes),
    language,
  }));
}

/** What a preparation skips is the group around it, or all of the file. */
function withPreparations(found: readonly FoundTest[], skips: readonly SetupSkip[]): FoundTest[] {
  const groups = found.filter(({ isGroup }) => isGroup);
  const skipOf = new Map<FoundTest | undefined, Skip>();
  for (const { at, skip } of skips) {
    const group = groups.filter(({ from, to }) => from <= at && at < to).sort((a, b) => b.from - a.from)[0];
    if (skipOf.get(group) !== 'always') skipOf.set(group, skip);
  }
  const whole = skipOf.get(undefined);
  return [
    ...found.map((test) => ({ ...test, skip: test.skip ?? skipOf.get(test) ?? null })),
    ...(whole === undefined ? [] : [{ title: WHOLE, from: 0, to: 0, isGroup: true, isFocused: false, skip: whole }]),
  ];
}

/** The group that stands for all tests of a file. */
export const WHOLE = '(the file)';

interface Nested {
  readonly test: FoundTest;
  readonly parent: Nested | undefined;
  readonly name: string;
  readonly unique: string;
  isHidden: boolean;
  readonly holes: [number, number][];
}

function isHidden({ isHidden: own, parent }: Pick<Nested, 'isHidden' | 'parent'>): boolean {
  return own || (parent !== undefined && isHidden(parent));
}

function without(code: string, { from, to }: FoundTest, holes: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  let at = from;
  for (const [start, end] of holes) {
    if (start < at) continue;
    parts.push(code.slice(at, start));
    at = end;
  }
  parts.push(code.slice(at, to));
  return parts.join(' ');
}

/** How many braces are open at `index`, counted from `from`. */
export function braceDepth(bare: string, from: number, index: number): number {
  let depth = 0;
  for (const [sign] of bare.slice(from, index).matchAll(/[{}]/g)) depth += sign === '{' ? 1 : -1;
  return depth;
}

/**
 * Whether a runner takes a file for one with tests if nothing is configured. A repository may have set other names: so this
 * tells only which files are no longer found although they were.
 */
function isCollectedFile(path: string, source: string): boolean {
  const known = collected.find(({ language, runner }) => language.test(path) && runner.test(source));
  return known === undefined || known.files.test(path);
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

/** The first runner that fits. The imports of a script show its runner; many have none, and any name will do for those. */
const collected: readonly { readonly language: RegExp; readonly runner: RegExp; readonly files: RegExp }[] = [
  { language: SCRIPT, runner: /['"]vitest['"]/, files: /\.(?:test|spec)\.[cm]?[jt]sx?$/ },
  {
    language: SCRIPT,
    runner: /(?:)/,
    files:
      /(?:^|\/)(?:[^/]*[._-](?:test|spec|cy|e2e)|[^/]*Spec|test[_-][^/]*|tests?)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?|specs?|e2e|cypress)\//i,
  },
  { language: /\.py$/, runner: /(?:)/, files: /(?:^|\/)(?:test[^/]*|[^/]*_test)\.py$/ },
  { language: /\.go$/, runner: /(?:)/, files: /^(?:(?!testdata\/)[^_./][^/]*\/|\.{1,2}\/)*[^_./][^/]*_test\.go$/ },
  {
    language: /\.(?:java|kt)$/,
    runner: /(?:)/,
    files: /(?:^|\/)(?:(?:Test|IT)[A-Z_][^/]*|[^/]*(?:Tests?|TestCase|IT|ITCase|Specs?))\.(?:java|kt)$/,
  },
  { language: /\.rb$/, runner: /(?:)/, files: /(?:_spec|_test|(?:^|\/)test[^/]*)\.rb$/ },
  { language: /\.php$/, runner: /(?:)/, files: /Test\.php$/ },
  { language: /\.exs$/, runner: /(?:)/, files: /_test\.exs$/ },
];
