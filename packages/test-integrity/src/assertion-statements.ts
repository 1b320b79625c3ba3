import { type Rank, rankOfCondition, rankOfNames } from './assertion-rank.ts';
import { splitArguments, splitOutside } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';

/** A check by its place in the code of a test. */
export interface FoundAssertion {
  readonly from: number;
  readonly to: number;
  readonly rank: Rank;
  /** The condition that must hold, where there is one. */
  readonly condition: string | null;
}

/** The checks of a test that are no calls by a name of their own. */
export function assertionStatements(test: TestCase): FoundAssertion[] {
  const { bare, code, language } = test;
  switch (language) {
    case 'python':
      return Array.from(bare.matchAll(/^[ \t]*assert\b(?![ \t]*=)/gm), (match) => pythonAssert(test, match));
    case 'go':
      return Array.from(bare.matchAll(/\b(?:t|b|tb|f|c)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/g), (match) =>
        goFailure(test, match),
      );
    case 'rust':
      return inText(code, /#\[should_panic[^\]]*\]/g, (text) => (/expected/.test(text) ? 4 : 2));
    case 'jvm':
      return [
        ...inText(code, /@Test\s*\([^)]*\bexpected\s*=[^)]*\)/g, () => 4),
        ...blocksOfKotlin(test),
        ...inLines(test, /[ \t.)]should(?!Throw|NotThrow)[A-Z]\w*\b/),
      ];
    case 'javascript':
      return inLines(test, /\.should\./);
    case 'outlined':
      return [];
    case 'ruby':
      return [
        ...inLines(test, /\.(?:should|must|wont)_\w|\.should(?:_not)?[ \t]|\bis_expected\./),
        ...Array.from(code.matchAll(/^[ \t]*((?:assert|refute|flunk)\w*)[ \t]+(?![.=])([^\n]*)/gm), minitestAssertion),
      ];
  }
}

function inText(code: string, pattern: RegExp, rankOf: (text: string) => Rank): FoundAssertion[] {
  return Array.from(code.matchAll(pattern), ({ index, 0: text }) => ({
    from: index,
    to: index + text.length,
    rank: rankOf(text),
    condition: null,
  }));
}

const MAX_LINE_LENGTH = 1_000; // characters: a longer line is generated

/** The lines that hold a check, each as a whole. */
function inLines({ code, language }: TestCase, pattern: RegExp): FoundAssertion[] {
  const isRuby = language === 'ruby';
  const found: FoundAssertion[] = [];
  let from = 0;
  for (const line of code.split('\n')) {
    const to = from + line.length;
    const at = line.length <= MAX_LINE_LENGTH ? line.search(pattern) : -1;
    if (at !== -1) {
      // Before the matcher stands what is checked, where a `nil` is no matcher.
      const end = isRuby ? from + withoutCondition(line).length : to;
      found.push({ from, to: end, rank: rankOfLine(line.slice(at), language), condition: null });
    }
    from = to + 1;
  }
  return found;
}

/** Infix matchers of Kotest and Kluent have one name each, and what follows is what is expected. */
function rankOfLine(line: string, language: TestCase['language']): Rank {
  const form = language === 'jvm' ? /\bshould[A-Z]\w*/g : /[\w$]+/g;
  return rankOfNames(line.match(form) ?? []);
}

const BLOCK =
  /\b(?:assertThrows|assertFails(?:With)?|assertDoesNotThrow|shouldThrow(?:Exactly|Any)?|shouldNotThrow(?:Any|Exactly)?|(?:coV|v)erify(?:All|Order|Sequence)?)\s*(?:<\s*([\w.]+)\s*>)?\s*(?:\([^(){}\n]*\)\s*)?\{/g;

/** `assertFailsWith<X> { … }`, `shouldThrow<X> { … }` and `verify { … }`, whose block is what is checked. */
function blocksOfKotlin({ bare }: TestCase): FoundAssertion[] {
  let done = 0;
  return Array.from(bare.matchAll(BLOCK)).flatMap(({ index, 0: head, 1: error = '' }): FoundAssertion[] => {
    if (index < done) return [];
    done = closingBrace(bare, index + head.length);
    const rank = /erify/.test(head)
      ? 4
      : /^(?:\w*\.)*(?:Exception|Throwable|RuntimeException|Error|)$/.test(error)
        ? 2
        : 3;
    // `shouldThrow<X> { … }.message shouldBe "x"`
    const matcher = /^(?:\??\.\w+)+[ \t]+should[^\n]*/.exec(bare.slice(done, done + MAX_LINE_LENGTH))?.[0] ?? '';
    done += matcher.length;
    return [{ from: index, to: done, rank: matcher === '' ? rank : 4, condition: null }];
  });
}

function closingBrace(bare: string, from: number): number {
  let depth = 1;
  for (let at = from; at < bare.length; at += 1) {
    if (bare[at] === '{') depth += 1;
    else if (bare[at] === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return bare.length;
}

/** `assert_equal 3, x` without brackets. */
function minitestAssertion({ index, 0: line, 1: name = '' }: RegExpExecArray): FoundAssertion {
  const text = withoutCondition(line);
  const args = text.slice(text.indexOf(name) + name.length);
  const condition = /^(?:assert|refute)$/.test(name) ? (splitArguments(args)[0] ?? '') : null;
  const rank = condition === null ? rankOfNames([name]) : rankOfCondition(condition);
  return { from: index, to: index + text.length, rank, condition };
}

/** Ruby has conditions at the end of a line. */
function withoutCondition(line: string): string {
  return splitOutside(line, /\s(?:if|unless)\s/)[0] ?? line;
}

/** Up to the end of the line, or of the brackets that go on below. */
function pythonAssert({ bare, code }: TestCase, { index, 0: head }: RegExpExecArray): FoundAssertion {
  let depth = 0;
  let to = index + head.length;
  for (; to < bare.length; to += 1) {
    const sign = bare[to] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    else if (sign === '\n' && depth <= 0 && bare[to - 1] !== '\\') break;
  }
  const condition = splitArguments(code.slice(index + head.length, to))[0] ?? '';
  return { from: index, to, rank: rankOfCondition(condition.replace(/^\s*\(([\s\S]*)\)\s*$/, '$1')), condition };
}

const FAR = 600; // characters: a condition is right before what it guards

/** With the condition before it, which is what the test checks. */
function goFailure({ bare, code }: TestCase, { index, 0: head }: RegExpExecArray): FoundAssertion {
  const lineEnd = bare.indexOf('\n', index);
  const to = Math.max(lineEnd === -1 ? bare.length : lineEnd, index + head.length);
  const before = bare.slice(Math.max(0, index - FAR), index);
  const at = before.lastIndexOf('if ');
  const isGuarded = at !== -1 && /\{\s*(?:t\.\w+\([^\n]*\)\s*)*$/.test(before.slice(at));
  if (!isGuarded) return { from: index, to, rank: 4, condition: null };
  const from = index - before.length + at;
  const condition = code.slice(from + 3, index).replace(/\{[^{]*$/, '');
  return { from, to, rank: goRank(condition), condition };
}

/** The condition says when the test fails: `got != want` pins down the value, `got == nil` only that there is one. */
function goRank(condition: string): Rank {
  const last = condition.slice(condition.lastIndexOf(';') + 1);
  if (/^\s*\w*[eE]rr\w*\s*!=\s*nil\s*$/.test(last)) return 2;
  if (/==\s*nil\s*$|==\s*""\s*$|len\([^)]*\)\s*==\s*0\s*$/.test(last)) return 1;
  if (/\bmath\.Abs|\babs\(/i.test(last)) return 3;
  // It must not be one value: any other will do.
  if (!/!/.test(last) && /==|DeepEqual\(|\.Equal\(|errors\.(?:Is|As)\(/.test(last)) return 2;
  if (/!=|reflect\.DeepEqual|cmp\.Diff|\.Equal\(|errors\.(?:Is|As)|==/.test(last)) return 4;
  if (/strings\.|\.Match|[Cc]ontains/.test(last)) return 3;
  return /[<>]/.test(last) ? 2 : 4;
}
