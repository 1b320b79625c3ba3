import { type CodeText, type Lexis, lexes, readCode } from './code-text.ts';
import { braceDepth, type FoundTest, MAX_TESTS, nestTests } from './nest-tests.ts';
import { SKIP_WITHIN } from './skip-condition.ts';
import type { TestCase } from './test-case.ts';

/** How the tests of a runner are told by single lines. */
interface Outline {
  /** A line that may begin a test, with its name. */
  readonly header: RegExp;
  /** A name that makes it one, or a mark in the lines above. */
  readonly isTest: { readonly name: RegExp; readonly mark: RegExp };
  /** A line above the header that belongs to it. */
  readonly mark: RegExp;
  readonly skipMark: RegExp;
  readonly skipCall: RegExp;
  readonly skipIfCall?: RegExp;
  readonly onlyCall?: RegExp;
  readonly endsWith: 'brace' | 'call' | 'indentation';
}

const NEVER = /(?!)/;
const ANY = /(?:)/;

const phpunit: Outline = {
  header: /^\s*(?:(?:public|final|static) )*function (\w+)\s*\(/,
  isTest: { name: /^test/i, mark: /#\[(?:\w+\\){0,5}Test\b|@test\b/ },
  mark: /^\s*(?:#\[|\/?\*|\/\/)/,
  skipMark: NEVER,
  skipCall: /(?:\$this->|self::|static::)markTest(?:Skipped|Incomplete)\(/,
  endsWith: 'brace',
};

const pest: Outline = {
  header: /^\s*(?:it|test)\(\s*["']([^"']*)["']/,
  isTest: { name: ANY, mark: NEVER },
  mark: NEVER,
  skipMark: NEVER,
  skipCall: /->(?:skip|todo)\(\s*[)"']|\$this->markTest(?:Skipped|Incomplete)\(/,
  skipIfCall: /->skip\(/,
  onlyCall: /->only\(\)/,
  endsWith: 'call',
};

/** xUnit, NUnit and MSTest. */
const dotnet: Outline = {
  header:
    /^\s*(?:\[[^\]]*\]\s*)?(?:(?:public|internal|private|static|async|virtual|override) )+[\w<>.[\]?]+ (\w+)\s*\(/,
  isTest: {
    name: NEVER,
    mark: /\[\s*(?:\w+\.){0,3}(?:\w*Fact|\w*Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod)\b/,
  },
  mark: /^\s*(?:\[|\/\/)/,
  skipMark: /\bSkip\s*=|\[\s*(?:\w+\.){0,3}(?:Ignore|Explicit)\b|,\s*Ignore\b/,
  skipCall: /\bAssert\.(?:Ignore|Inconclusive|Skip)\(|\bSkip\.(?:If|IfNot)\(\s*(?:true|false)\b/,
  endsWith: 'brace',
};

const exunit: Outline = {
  header: /^\s*(?:test|property) "([^"]*)"/,
  isTest: { name: ANY, mark: NEVER },
  mark: /^\s*(?:@|#)/,
  skipMark: /@(?:tag|describetag|moduletag)\s+(?::skip\b|skip:)/,
  skipCall: NEVER,
  endsWith: 'indentation',
};

const outlines: readonly (readonly [extension: string, lexis: Lexis, outlines: readonly Outline[]])[] = [
  ['.php', lexes.jvm, [phpunit, pest]],
  ['.cs', lexes.jvm, [dotnet]],
  ['.exs', lexes.ruby, [exunit]],
];

const MAX_LINE_LENGTH = 300; // characters: a header is shorter
const MAX_MARK_LINES = 30; // lines above a header

/**
 * The tests of languages of which only names, ends and marks are read: enough to see one that is gone or skipped, not one that
 * checks less.
 */
export function outlinedTests(path: string, source: string): TestCase[] {
  const [, lexis, known] = outlines.find(([extension]) => path.endsWith(extension)) ?? ['', lexes.jvm, []];
  const text = readCode(source, lexis);
  const lines = source.split('\n');
  const found: FoundTest[] = [];
  let from = 0;
  for (const [at, line] of lines.entries()) {
    for (const outline of line.length > MAX_LINE_LENGTH || found.length >= MAX_TESTS ? [] : known) {
      const name = outline.header.exec(line)?.[1];
      if (name === undefined) continue;
      const marks = `${marksAbove(lines, at, outline)}\n${line}`;
      const isTest = outline.isTest.name.test(name) || outline.isTest.mark.test(marks);
      const to = isTest ? endOf(text, from, outline) : null;
      if (to === null) continue;
      const body = text.bare.slice(from, Math.min(to, from + SKIP_WITHIN));
      const skip = outline.skipMark.test(marks) ? 'always' : skipIn(body, outline);
      found.push({ title: name, from, to, isGroup: false, isFocused: outline.onlyCall?.test(body) ?? false, skip });
    }
    from += line.length + 1;
  }
  return nestTests(found, { path, text, language: 'outlined' });
}

function marksAbove(lines: readonly string[], at: number, { mark }: Outline): string {
  let first = at;
  while (first > 0 && at - first < MAX_MARK_LINES && mark.test(lines[first - 1] ?? '')) first -= 1;
  return lines.slice(first, at).join('\n');
}

/** The index after the test, which begins at `from`; null where its end is not to be seen. */
function endOf({ bare, partner }: CodeText, from: number, { endsWith }: Outline): number | null {
  switch (endsWith) {
    case 'indentation': {
      const indent = /^\s*/.exec(bare.slice(from, from + MAX_LINE_LENGTH))?.[0] ?? '';
      const end = bare.indexOf(`\n${indent}end`, from);
      return end === -1 ? null : end + indent.length + 4;
    }
    case 'brace': {
      const brace = bare.indexOf('{', from);
      const semicolon = bare.indexOf(';', from);
      if (semicolon !== -1 && (brace === -1 || semicolon < brace)) return semicolon + 1;
      const close = partner.get(brace);
      return close === undefined ? null : close + 1;
    }
    case 'call': {
      const close = partner.get(bare.indexOf('(', from));
      const semicolon = close === undefined ? -1 : bare.indexOf(';', close);
      return semicolon === -1 ? null : semicolon + 1;
    }
  }
}

function skipIn(body: string, { skipCall, skipIfCall }: Outline): FoundTest['skip'] {
  const call = skipCall.exec(body);
  if (call !== null) return braceDepth(body, 0, call.index) <= 1 ? 'always' : 'conditional';
  return skipIfCall?.test(body) === true ? 'conditional' : null;
}
