import { type Rank, rankOfCondition, rankOfErrors, rankOfNames, rankOfThrown } from './assertion-rank.ts';
import { assertionStatements, type FoundAssertion } from './assertion-statements.ts';
import { comparedValues, isConstant, OWN_HELPER } from './compared-values.ts';
import { conditionAround } from './condition-around.ts';
import { earlyExits } from './early-exits.ts';
import { localConstants, withConstants } from './local-values.ts';
import { splitArguments } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';

/** One check in a test. */
export interface Assertion {
  /** The source of the check on one line, with single spaces. */
  readonly text: string;
  /** The compared code in source form: without the words for a failure, where these are apart. */
  readonly code: string;
  /** The compared values in `code`, in their order. */
  readonly values: readonly string[];
  readonly rank: Rank;
  /** It says nothing about the program: its values are all literals, or the same on both sides. */
  readonly isConstant: boolean;
  /** The condition under which it is made at all, or the exit before it; null where it always is. */
  readonly condition: string | null;
  /** It is a promise that the test does not wait for: it may fail when the test is over. */
  readonly isForgotten: boolean;
}

/** The checks of a test in order, as far as they can be told by their names. One inside another is part of it. */
export function assertionsOf(test: TestCase): Assertion[] {
  const found = test.language === 'outlined' ? [] : [...calls(test), ...assertionStatements(test)];
  const outer: FoundAssertion[] = [];
  for (const one of found.sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.from >= (outer.at(-1)?.to ?? 0)) outer.push(one);
  }
  const codes = outer.map(({ from, to }) => test.code.slice(from, to));
  const constants = localConstants(test.code, codes);
  const exits = earlyExits(test);
  return outer.map(({ from, to, rank, condition }, index) => {
    const code = codes[index] ?? '';
    const text = code.replaceAll(/\s+/g, ' ').trim();
    const fixed = condition === null ? null : withConstants(condition, constants);
    return {
      text,
      code: condition ?? code,
      values: comparedValues(text, condition),
      rank,
      // `request(app).get('/').expect(200)`
      isConstant:
        !/\.\s*$/.test(test.bare.slice(Math.max(0, from - NEAR), from)) &&
        isConstant(withConstants(text, constants), fixed),
      condition:
        conditionAround(test, from, to) ?? exits.find((exit) => exit.from < from && from < exit.to)?.text ?? null,
      isForgotten: PROMISE.test(text) && STATEMENT.test(test.bare.slice(Math.max(0, from - NEAR), from)),
    };
  });
}

const PROMISE =
  /\.(?:resolves|rejects|eventually|rejected|rejectedWith|fulfilled)\b|^(?:assert|t)\.(?:rejects|doesNotReject|throwsAsync|notThrowsAsync)\(/;

/** Nothing waits for a statement of its own; an element of a list or an argument is one of several. */
const STATEMENT = /(?:[;{}]|[^([,=&|?:>+\s]\s*\n)\s*$/;
const NEAR = 200; // characters: longer than any indentation

const CALL = /(?<![\w$@])(?:[A-Za-z_$][\w$]*(?:\.|::|->|\?\.))*([A-Za-z_$][\w$]*)(!?)\s*[({]/g;
const IS_ASSERTION =
  /(?:^|[.:>_])(?:(?:prop_)?assert|expect|verify|check|should|must(?=[A-Z_])|ensure|refute|fail(?:s|ed)?$|raises$|warns$|throws)|[a-z](?:Assert|Expect|Should)|^(?:t|test)\.(?:is|not|deepEqual|notDeepEqual|like|truthy|falsy|true|false|throws\w*|notThrows\w*|regex|snapshot|equal|equals|same|ok|notOk|match|rejects|strictSame|pass|fail)$|^(?:require|is|suite)\.[A-Z]\w*$|\.(?:andExpect|toBe\w*|toEqual\w*)$|(?:^|\.)(?:Expect|Eventually|Consistently)$|^(?:c|qt|check)\.(?:Assert|Check)$|^must\.[A-Z]\w*$|^confirmVerified$/;
const NO_ASSERTION =
  /^(?:expect\.(?:any|anything|objectContaining|arrayContaining|stringContaining|stringMatching|extend|assertions|hasAssertions|closeTo)|.*\bcheck_?out\w*|.*checkpoint|subprocess\.\w+)$/i;

/** Whether a function is one that checks, by its name. */
export function isAssertionName(name: string): boolean {
  return IS_ASSERTION.test(name) && !NO_ASSERTION.test(name);
}

const STARTS_CHAIN = /^(?:expect|assertThat|is_expected|verify|soft|poll)$/;
const TAKES_CONDITION = /^(?:assert|assertTrue|assertFalse|True|False|ok|assert_true|debug_assert|true|truthy|isTrue)$/;

function calls({ bare, code, language }: TestCase): FoundAssertion[] {
  const closeOf = createCloser(bare);
  return Array.from(bare.matchAll(CALL)).flatMap(({ index, 0: head, 1: last = '' }): FoundAssertion[] => {
    const name = head.slice(0, -1).trim().replace(/!$/, '');
    if (!isAssertionName(name)) return [];
    if (language === 'rust' && /\.(?:expect|expect_err)$/.test(name)) return [];
    if (head.endsWith('{') && language !== 'ruby') return [];
    if (/(?:\bdef|\bfn|\bfunc|\bfunction|\bnew|\bvoid)\s+$/.test(bare.slice(Math.max(0, index - 12), index))) return [];
    const open = index + head.length - 1;
    const close = closeOf(open);
    if (close === null) return [];
    const chain = readChain(bare, close + 1, closeOf);
    const condition =
      TAKES_CONDITION.test(last) && chain.names.length === 0
        ? conditionIn(code.slice(open + 1, close), language)
        : null;
    const rank =
      condition === null
        ? rankOfCall([...(STARTS_CHAIN.test(last) ? [] : [last]), ...chain.names], code.slice(open, chain.to), name)
        : rankOfCondition(condition);
    return [{ from: index, to: chain.to, rank, condition }];
  });
}

/** Calls of AssertJ, after which the test says which error it is. */
const THROWN = /(?:^|\.)(?:assertThat(?:ThrownBy|\w*Exception\w*)|catchThrowable\w*)$/;

const OF_ERRORS =
  /^(?:throws?(?:Async|Error)?|toThrow\w*|raises?|raise_error|(?:to_)?raise|assert_raises?|assertRaises\w*|assertThrows(?:Exactly|Async)?|rejects?|rejectedWith|Panics\w*|thrown)$/;

/** Whether matchers are about errors. A rejected value may be checked like any other: `.rejects.toEqual(x)`. */
function isOfErrors(matchers: readonly string[]): boolean {
  const others = matchers.filter((matcher) => matcher !== 'rejects' && matcher !== 'not');
  const isValue = matchers.includes('rejects') && matchers.indexOf('rejects') < matchers.length - 1;
  return (isValue ? others.slice(-1) : matchers).some((matcher) => OF_ERRORS.test(matcher));
}

function rankOfCall(matchers: readonly string[], text: string, name: string): Rank {
  if (/^self\./.test(name) && OWN_HELPER.test(`${name}(`)) return 4;
  if (matchers[0] === 'rejects' && /instanceof$/i.test(matchers.at(-1) ?? ''))
    return /\(\s*Error\s*\)$/.test(text) ? 2 : 3;
  const given = givenMatchers(name, text);
  const rank =
    given !== null
      ? rankOfNames(given)
      : THROWN.test(name)
        ? rankOfThrown(matchers, text)
        : isOfErrors(matchers)
          ? rankOfErrors(text, name)
          : rankOfNames(matchers);
  return rank > 2 && /\btypeof\s|\.constructor\.name\b/.test(text) ? 2 : rank;
}

/** JUnit 4 has a message before the condition, and testify the test. */
function conditionIn(args: string, language: TestCase['language']): string {
  const parts = splitArguments(args);
  const hasOther =
    (language === 'go' && /^\s*(?:t|tb|b|\w+\.T\(\))\s*$/.test(parts[0] ?? '')) ||
    (language === 'jvm' && parts.length > 1 && /^\s*"/.test(parts[0] ?? ''));
  return (hasOther ? parts[1] : parts[0]) ?? '';
}

type Closer = (open: number) => number | null;

function createCloser(bare: string): Closer {
  const partner = new Map<number, number>();
  const open: number[] = [];
  for (const { index, 0: sign } of bare.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(sign)) open.push(index);
    else partner.set(open.pop() ?? -1, index);
  }
  return (at) => partner.get(at) ?? null;
}

const MEMBER = /\s*(?:\?\.|\.|!!\.)\s*([\w$]+)[!?]?/y;

/** What follows a space: Ruby's matchers, and Kotlin's. */
const WORD =
  /[ \t]+(eq|eql|be\w*|match\w*|include|raise_error|contain_exactly|have_\w+|equal|an?_\w+|not_to|to|should\w*|[!=]==?)(?![\w=])/y;

/** `.not.toBe(3)` after `expect(x)`, and `.to eq(3)` in Ruby. */
function readChain(
  bare: string,
  from: number,
  closeOf: Closer,
): { readonly names: readonly string[]; readonly to: number } {
  const names: string[] = [];
  let to = from;
  for (;;) {
    const found = sticky(MEMBER, bare, to) ?? sticky(WORD, bare, to);
    if (found === null && bare[to] !== '(') return { names, to };
    to += found?.[0].length ?? 0;
    if (found?.[1] !== undefined) names.push(found[1]);
    const close = bare[to] === '(' || bare[to] === '{' ? closeOf(to) : null;
    if (close !== null) to = close + 1;
    else if (bare[to] === '(') return { names, to };
    else if (
      found !== null &&
      (/^[ \t]/.test(found[0]) || /^(?:to|not_to|to_not)$/.test(found[1] ?? '')) &&
      sticky(WORD, bare, to) === null &&
      !/^[ \t]*[.(]/.test(bare.slice(to, to + 20))
    ) {
      const end = bare.indexOf('\n', to);
      return { names, to: end === -1 ? bare.length : end };
    }
  }
}

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Functions that take a matcher as their second argument: of Hamcrest in any language, and of googletest in Rust. */
const TAKES_MATCHER = /(?:^|[.:])(?:assert_?[tT]hat|expect_that|verify_that)$/;

/** Checks of quicktest and gocheck, which take a matcher between the values. */
const TAKES_CHECKER = /^(?:c|qt|check)\.(?:Assert|Check)$/;

/** Links of Gomega, and of expects in Python, which take it alone. */
const LINK = /\.\s*(To|Should|NotTo|ToNot|ShouldNot|to|to_not|not_to)\s*\(/;
const LINKED = /(?:^|\.)(?:Expect|Eventually|Consistently)$/;

/** Matchers that only hold another one. */
const HOLDS = /^(?:is_?|not|is_?[nN]ot|Not|both|either|allOf|all_of|And)$/;
const MAX_DEPTH = 4; // matchers in matchers

/**
 * The names of the matchers that a check is given as arguments, or null where it has none: `assertThat(x, is(not(nullValue())))`
 * has `not` and `nullValue`.
 *
 * @param text from the bracket of the call to the end of its chain
 */
function givenMatchers(name: string, text: string): readonly string[] | null {
  const args = splitArguments(text.slice(1));
  if (TAKES_CHECKER.test(name)) return [(args[2] ?? args[1] ?? '').trim().replace(/^.*\./, '').replace(/^Not$/, 'not')];
  if (TAKES_MATCHER.test(name)) {
    const matcher = args.slice(1).find((arg) => MATCHER.test(arg));
    return matcher === undefined ? null : namesIn(matcher);
  }
  const link = LINKED.test(name) ? LINK.exec(text) : null;
  if (link === null) return null;
  const [first = ''] = splitArguments(text.slice(link.index + link[0].length));
  return [...(/not/i.test(link[1] ?? '') ? ['not'] : []), ...namesIn(first)];
}

const MATCHER = /^\s*(?:\w+(?:\.|::))*(\w+)\s*\(/;

function namesIn(matcher: string): string[] {
  const names: string[] = [];
  let rest = matcher;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const found = MATCHER.exec(rest);
    const name = found?.[1] ?? '';
    if (found === null) return names.length === 0 ? ['is'] : names;
    if (!HOLDS.test(name)) return [...names, name];
    if (/not/i.test(name)) names.push('not');
    rest = rest.slice(found[0].length);
  }
  return names;
}
