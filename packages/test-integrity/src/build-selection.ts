import type { TestSelection } from './test-selection.ts';

/** The tests that a build file tells its test task to take: Gradle, Maven, PHPUnit. Null for any other file. */
export function buildSelection(path: string, text: string): TestSelection | null {
  const reader = readers.find(([name]) => name.test(path))?.[1];
  return reader?.(text) ?? null;
}

type Reader = (text: string) => TestSelection;

const readers: readonly (readonly [RegExp, Reader])[] = [
  [/(?:^|\/)build\.gradle(?:\.kts)?$/, gradle],
  [/(?:^|\/)pom\.xml$/, maven],
  [/(?:^|\/)phpunit\.xml(?:\.dist)?$/, phpunit],
];

const MAX_BLOCKS = 20;
const MAX_BLOCK_LENGTH = 4_000; // characters

const GRADLE_TASK =
  /(?:\b\w*[tT]est|\btasks\.(?:named|register)(?:<\w+>)?\(\s*["']\w*[tT]est["'][^(){}]*\)|\bwithType(?:<Test>(?:\(\))?|\(Test(?:::class)?(?:\.java)?\))(?:\.configureEach)?)\s*\{/g;
const GRADLE_FILTER = /\b(exclude|include)\w*\s*\(?\s*((?:["'][^"'\n]*["'][ \t,]*)+)/g;

/** Only in the blocks of test tasks: elsewhere dependencies and resources are left out. */
function gradle(text: string): TestSelection {
  const blocks = Array.from(text.matchAll(GRADLE_TASK).take(MAX_BLOCKS), ({ index, 0: head }) =>
    blockAt(text, index + head.length),
  );
  const filters = blocks.flatMap((block) => [...block.matchAll(GRADLE_FILTER)]);
  const valuesOf = (word: string) =>
    filters
      .filter(([, which]) => which === word)
      .flatMap(([, , list = '']) => Array.from(list.matchAll(/["']([^"'\n]*)["']/g), ([, value = '']) => value));
  const off = [...(blocks.join('\n').match(GRADLE_OFF) ?? []), ...(text.match(/\bignoreFailures\s*=\s*true/g) ?? [])];
  const included = valuesOf('include');
  return selection({ included, excluded: valuesOf('exclude'), off }, included);
}

const GRADLE_OFF = /\b(?:isEnabled|enabled)\s*=\s*false|\bsetEnabled\(\s*false\s*\)|\bonlyIf\s*\{\s*false\s*\}/g;

function blockAt(text: string, from: number): string {
  const block = text.slice(from, from + MAX_BLOCK_LENGTH);
  let depth = 1;
  for (const { index, 0: sign } of block.matchAll(/[{}]/g)) {
    depth += sign === '{' ? 1 : -1;
    if (depth === 0) return block.slice(0, index);
  }
  return block;
}

function maven(text: string): TestSelection {
  const plugins = text
    .split('</plugin>')
    .filter((part) => /maven-(?:surefire|failsafe)-plugin/.test(part))
    .slice(0, MAX_BLOCKS)
    .map((part) => part.slice(part.lastIndexOf('<plugin>')).slice(0, MAX_BLOCK_LENGTH))
    .join('\n');
  const included = elements(plugins, 'include|groups|test');
  const excluded = elements(plugins, 'exclude|excludedGroups');
  const off = [...(text.match(MAVEN_OFF) ?? []), ...(plugins.match(/<skip>\s*true/g) ?? [])];
  return selection({ included, excluded, off }, included);
}

const MAVEN_OFF = /<skipTests>\s*true|<maven\.test\.skip>\s*true|<testFailureIgnore>\s*true/g;

/** Reads phpunit.xml. Files in `<source>`, `<coverage>` or `<filter>` are only left out of the coverage. */
function phpunit(text: string): TestSelection {
  const suites = Array.from(
    text.matchAll(/<(testsuites?|groups)\b[^>]*>/g).take(MAX_BLOCKS),
    ({ index, 0: head, 1: name = '' }) => {
      const from = index + head.length;
      return text.slice(from, from + MAX_BLOCK_LENGTH).split(`</${name}>`, 1)[0] ?? '';
    },
  ).join('\n');
  const excluded = Array.from(suites.matchAll(/<exclude>([\s\S]{0,500}?)<\/exclude>/g), ([, inner = '']) =>
    inner.replaceAll(/<[^<>]*>/g, ' ').trim(),
  );
  return selection({ included: elements(suites, 'directory|file'), excluded, off: [] }, []);
}

function elements(text: string, names: string): string[] {
  const pattern = new RegExp(`<(?:${names})\\b[^<>]*>([^<>]+)<`, 'g');
  return Array.from(text.matchAll(pattern), ([, value = '']) => value.trim()).filter((value) => value !== '');
}

type Read = Pick<TestSelection, 'included' | 'excluded' | 'off'>;

function selection(read: Read, narrow: readonly string[]): TestSelection {
  return { ...read, narrow, strict: [], skips: [] };
}
