import { type CodeText, lexes, readCode } from './code-text.ts';
import { ifAround } from './condition-around.ts';
import { braceDepth, type FoundTest, MAX_TESTS, nestTests } from './nest-tests.ts';
import { SKIP_WITHIN, skipAt, skipIf, skipUnless } from './skip-condition.ts';
import { splitArguments } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';

const CALL =
  /(?<![\w$.])(?:t\.(?=test\b))?(Deno\.test|fdescribe|xdescribe|describe|fcontext|xcontext|context|suite|fit|xit|it|xtest|test|xspecify|specify)((?:\s*\.\s*[\w$]+)*)\s*(?=[(`])/g;
/** Members that take arguments of their own before the test's. */
const WITH_ARGUMENTS = /^(?:each|for|skipIf|runIf|todoIf|extend)$/;

/** The tests of node:test, Vitest, Jest, Mocha, Jasmine, AVA, tap, Playwright and Deno. */
export function javascriptTests(path: string, source: string): TestCase[] {
  const text = readCode(source, lexes.javascript);
  const found = Array.from(text.bare.matchAll(CALL).take(MAX_TESTS)).flatMap(
    ({ index, 0: { length }, 1: word = '', 2: chain = '' }) =>
      readCall(text, { from: index, at: index + length, word, chain }) ?? [],
  );
  return nestTests([...found, ...aliasedTests(text)], { path, text, language: 'javascript' });
}

/** `const later = test.skip`, `const onUnix = process.platform === 'win32' ? test.skip : test`. */
const ALIAS =
  /\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:([^;?\n]{1,200}?)\?)?\s*(describe|it|test)\b((?:\.\w+)*)\s*(?::\s*(describe|it|test)\b((?:\.\w+)*)\s*)?(?=[;\n])/g;
const MAX_ALIASES = 10;

function aliasedTests(text: CodeText): FoundTest[] {
  return Array.from(text.bare.matchAll(ALIAS).take(MAX_ALIASES)).flatMap(
    ({ index, 1: alias = '', 2: condition, 3: word = '', 4: members = '', 6: others = '' }) => {
      const skip = condition === undefined ? null : aliasSkip(text.code.slice(index, index + 300), members, others);
      const uses = new RegExp(`(?<![\\w$.])${alias.replaceAll('$', '\\$')}((?:\\s*\\.\\s*[\\w$]+)*)\\s*(?=[(\`])`, 'g');
      return Array.from(text.bare.matchAll(uses).take(MAX_TESTS)).flatMap(({ index: from, 0: head, 1: chain = '' }) => {
        const own = condition === undefined ? members + chain : chain;
        const test = readCall(text, { from, at: from + head.length, word, chain: own });
        return test === null ? [] : [{ ...test, skip: test.skip ?? skip }];
      });
    },
  );
}

function aliasSkip(statement: string, members: string, others: string): FoundTest['skip'] {
  const condition = /=\s*([^?]*)\?/.exec(statement)?.[1]?.trim() ?? '';
  if (/skip|todo/.test(members)) return skipIf(condition);
  return /skip|todo/.test(others) ? skipUnless(condition) : null;
}

interface Call {
  readonly from: number;
  /** The offset of the bracket, or of the backtick of a table. */
  readonly at: number;
  readonly word: string;
  readonly chain: string;
}

function readCall(text: CodeText, { from, at, word, chain }: Call): FoundTest | null {
  const { bare, code, partner } = text;
  const members: string[] = chain.match(/[\w$]+/g) ?? [];
  let open = at;
  let condition = '';
  let isEmpty = false;
  for (;;) {
    const member = members.at(-1) ?? '';
    if (!WITH_ARGUMENTS.test(member) && bare[open] !== '`') break;
    const close = bare[open] === '`' ? bare.indexOf('`', open + 1) : (partner.get(open) ?? -1);
    if (close === -1) return null;
    if (/If$/.test(member)) condition = code.slice(open + 1, close);
    if (/^\(\s*\[\s*\]\s*$/.test(bare.slice(open, close))) isEmpty = true;
    const next = /^((?:\s*\.\s*[\w$]+)*)\s*\(/.exec(bare.slice(close + 1, close + 200));
    if (next === null) return null;
    members.push(...((next[1] ?? '').match(/[\w$]+/g) ?? ['']));
    open = close + next[0].length;
  }
  const close = partner.get(open);
  if (close === undefined) return null;
  const title = titleOf(text, open, close);
  const rest = bare.slice(title.after, close);
  const body = /=>|\bfunction\b/.exec(rest);
  if (body === null && !(title.isText && /^\s*,?\s*[\w$.]*\s*,?\s*$/.test(rest))) return null;
  const isGroup = /describe|context|suite/.test(word);
  const options = code.slice(title.after, body === null ? close : title.after + body.index);
  const isPending = body === null && !/\w/.test(rest) && !isGroup;
  return {
    title: title.text,
    from,
    to: close + 1,
    isGroup,
    isFocused: /^f/.test(word) || members.includes('only') || /\bonly\s*:\s*true\b/.test(options),
    skip:
      isPending || isEmpty
        ? 'always'
        : skipOf(text, { word, isGroup, members, condition, options, body: [title.after + (body?.index ?? 0), close] }),
  };
}

function titleOf({ bare, source }: CodeText, open: number, close: number) {
  const start = /^\s*/.exec(bare.slice(open + 1, open + 300))?.[0].length ?? 0;
  const from = open + 1 + start;
  const quote = bare[from] ?? '';
  if (/["'`]/.test(quote)) {
    const end = bare.indexOf(quote, from + 1);
    if (end !== -1 && end < close) return { isText: true, text: source.slice(from + 1, end), after: end + 1 };
  }
  const name = /^[\w$.]+/.exec(bare.slice(from, Math.min(close, from + 200)))?.[0] ?? '';
  return { isText: false, text: name, after: from };
}

interface SkipFacts {
  readonly word: string;
  readonly isGroup: boolean;
  readonly members: readonly string[];
  readonly condition: string;
  readonly options: string;
  readonly body: readonly [number, number];
}

function skipOf(
  { bare, code }: CodeText,
  { word, isGroup, members, condition, options, body }: SkipFacts,
): FoundTest['skip'] {
  if (/^x/.test(word) || members.some((one) => /^(?:skip|todo|fails|failing|fixme)$/.test(one))) return 'always';
  if (members.some((one) => /^(?:skipIf|runIf|todoIf)$/.test(one))) {
    if (/^\s*(?:true|false|1|0|!0|!1)\s*$/.test(condition)) return 'always';
    return members.includes('runIf') ? skipUnless(condition) : skipIf(condition);
  }
  const option = /\b(?:skip|todo)\s*:\s*(?!false\b|undefined\b|null\b)([^,}]+)/.exec(options)?.[1]?.trim();
  if (option !== undefined) return /^(?:true|!0|1|["'`].*)$/s.test(option) ? 'always' : skipIf(option);
  if (isGroup) return null;
  const [from, end] = body;
  const to = Math.min(end, from + SKIP_WITHIN);
  const test = { bare: bare.slice(from, to), code: code.slice(from, to), language: 'javascript' } as const;
  const call = /\b(?:this|t|ctx|context|test)\.(?:skip|todo|fixme)\s*\(([^()]*)\)/.exec(test.bare);
  if (call === null) return null;
  const argument = test.code.slice(call.index, call.index + call[0].length).split('(', 2)[1] ?? '';
  if (!/^\s*(?:\)|["'`])/.test(argument)) return skipIf(splitArguments(argument.replace(/\)$/, ''))[0] ?? '');
  const isGuarded = braceDepth(test.bare, 0, call.index) > 1 || ifAround(test, call.index) !== null;
  return isGuarded ? skipAt(test, call.index) : 'always';
}
