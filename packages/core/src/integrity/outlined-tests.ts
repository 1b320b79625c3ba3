import { type CodeText, lexes, readCode } from './code-text.ts';
import { braceDepth, type FoundTest, MOST_TESTS, nestTests, SKIP_WITHIN } from './nest-tests.ts';
import type { TestCase } from './test-case.ts';

/** How the tests of a language are told by single lines. */
interface Outline {
  /** A line that may begin a test, with its name. */
  readonly header: RegExp;
  /** A name that makes it one, or a mark in the lines above. */
  readonly isTest: { readonly name: RegExp; readonly mark: RegExp };
  /** A line above the header that belongs to it. */
  readonly mark: RegExp;
  readonly skipMark: RegExp;
  readonly skipCall: RegExp;
  readonly isIndented?: boolean;
}

const NEVER = /(?!)/;

const outlines = {
  /** PHPUnit. */
  php: {
    header: /^\s*(?:(?:public|final|static) )*function (\w+)\s*\(/,
    isTest: { name: /^test/i, mark: /#\[(?:\w+\\){0,5}Test\b|@test\b/ },
    mark: /^\s*(?:#\[|\/?\*|\/\/)/,
    skipMark: NEVER,
    skipCall: /(?:\$this->|self::|static::)markTest(?:Skipped|Incomplete)\(/,
  },
  /** xUnit, NUnit and MSTest. */
  cs: {
    header:
      /^\s*(?:\[[^\]]*\]\s*)?(?:(?:public|internal|private|static|async|virtual|override) )+[\w<>.[\]?]+ (\w+)\s*\(/,
    isTest: {
      name: NEVER,
      mark: /\[\s*(?:\w+\.){0,3}(?:\w*Fact|\w*Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod)\b/,
    },
    mark: /^\s*(?:\[|\/\/)/,
    skipMark: /\bSkip\s*=|\[\s*(?:\w+\.){0,3}(?:Ignore|Explicit)\b|,\s*Ignore\b/,
    skipCall: /\bAssert\.(?:Ignore|Inconclusive|Skip)\(|\bSkip\.(?:If|IfNot)\(\s*(?:true|false)\b/,
  },
  /** ExUnit. */
  exs: {
    header: /^\s*(?:test|property) "([^"]*)"/,
    isTest: { name: /(?:)/, mark: NEVER },
    mark: /^\s*(?:@|#)/,
    skipMark: /@(?:tag|describetag|moduletag)\s+(?::skip\b|skip:)/,
    skipCall: NEVER,
    isIndented: true,
  },
} as const satisfies Record<string, Outline>;

const LONGEST_LINE = 300; // characters: a header is shorter
const MOST_MARKS = 30; // lines above a header

/**
 * The tests of languages of which only names, ends and marks are read: enough to see one that is gone or skipped, not one that
 * checks less.
 */
export function outlinedTests(path: string, source: string): TestCase[] {
  const outline: Outline = path.endsWith('.php') ? outlines.php : path.endsWith('.cs') ? outlines.cs : outlines.exs;
  const text = readCode(source, outline.isIndented === true ? lexes.ruby : lexes.jvm);
  const lines = source.split('\n');
  const found: FoundTest[] = [];
  let from = 0;
  for (const [at, line] of lines.entries()) {
    const name = line.length > LONGEST_LINE ? undefined : outline.header.exec(line)?.[1];
    if (name !== undefined && found.length < MOST_TESTS) {
      const marks = marksAbove(lines, at, outline);
      const isTest = outline.isTest.name.test(name) || outline.isTest.mark.test(`${marks}\n${line}`);
      const to = isTest ? endOf(text, from, outline) : null;
      if (to !== null) {
        const skip = outline.skipMark.test(`${marks}\n${line}`) ? 'always' : skipIn(text.bare.slice(from, to), outline);
        found.push({ title: name, from, to, isGroup: false, isFocused: false, skip });
      }
    }
    from += line.length + 1;
  }
  return nestTests(found, { path, text, language: 'outlined' });
}

function marksAbove(lines: readonly string[], at: number, { mark }: Outline): string {
  let first = at;
  while (first > 0 && at - first < MOST_MARKS && mark.test(lines[first - 1] ?? '')) first -= 1;
  return lines.slice(first, at).join('\n');
}

/** The index after the test, which begins at `from`; null where its end is not to be seen. */
function endOf({ bare, partner }: CodeText, from: number, { isIndented }: Outline): number | null {
  if (isIndented === true) {
    const indent = /^\s*/.exec(bare.slice(from, from + LONGEST_LINE))?.[0] ?? '';
    const end = bare.indexOf(`\n${indent}end`, from);
    return end === -1 ? null : end + indent.length + 4;
  }
  const brace = bare.indexOf('{', from);
  const semicolon = bare.indexOf(';', from);
  if (semicolon !== -1 && (brace === -1 || semicolon < brace)) return semicolon + 1;
  const close = partner.get(brace);
  return close === undefined ? null : close + 1;
}

function skipIn(test: string, { skipCall }: Outline): FoundTest['skip'] {
  const body = test.slice(0, SKIP_WITHIN);
  const call = skipCall.exec(body);
  if (call === null) return null;
  return braceDepth(body, 0, call.index) <= 1 ? 'always' : 'conditional';
}
