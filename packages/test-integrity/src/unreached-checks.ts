import type { TestCase } from './test-case.ts';
import { plainCode } from './tokens.ts';
import { blockEnd, uncalledChecks } from './uncalled-checks.ts';

/** Whether a test may be over before its checks are made, or without them, by code that made sure of them before; null if not. */
export function unreachedChecks(before: TestCase, after: TestCase): string | null {
  if (GUARD.test(before.bare) && !GUARD.test(after.bare) && checksInHandler(after)) {
    return 'passes without its checks where nothing fails: they stand in a handler only';
  }
  if (countsFewer(before, after)) return 'counts fewer of the same checks';
  if (endsWellAnyway(before, after)) return 'is done without an error where something failed';
  const forgotten = forgottenChain(before, after);
  if (forgotten !== null) return `no longer waits for \`${forgotten}\``;
  if (uncalledChecks(after) > uncalledChecks(before)) return 'has checks in a function that is never called';
  const isEarly = callsBackAtOnce(after) && !callsBackAtOnce(before);
  return isEarly ? 'is over before the checks in its callbacks are made' : null;
}

/** What fails a test that makes no check, or comes where it should not. */
const GUARD =
  /\bexpect\.(?:assertions|hasAssertions)\(|\b(?:t|assert)\.plan\(|\b(?:fail|unreachable)\(|\bflunk\b|\bassert False\b|\braise AssertionError\b|\bthrow new (?:Assertion)?Error\(/;
const CHECK = /\b(?:expect|assert\w*|should)\b/;

const HANDLERS: Readonly<Partial<Record<TestCase['language'], RegExp>>> = {
  javascript:
    /\bcatch\s*(?:\([^)]{0,200}\))?\s*\{([^{}]*)|\.catch\(([^;]{0,500})|\.then\(\s*(?:async\s*)?(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{[^{}]{0,300}\}|[^,{};]{0,100}),([^;]{0,500})/g,
  jvm: /\bcatch\s*\([^)]{0,200}\)\s*\{([^{}]*)/g,
  python: /^[ \t]*except\b[^\n]*:((?:\n[ \t]+[^\n]*){1,3})/gm,
  ruby: /^[ \t]*rescue\b[^\n]*((?:\n[ \t]+[^\n]*){1,3})/gm,
};
const MAX_HANDLERS = 50; // of one test

function checksInHandler({ bare, language }: TestCase): boolean {
  const form = HANDLERS[language];
  if (form === undefined) return false;
  return Array.from(bare.matchAll(form).take(MAX_HANDLERS)).some(([, a, b, c]) => CHECK.test(a ?? b ?? c ?? ''));
}

/** `expect.assertions(2)` became `expect.assertions(1)` of as many checks. */
function countsFewer(before: TestCase, after: TestCase): boolean {
  const [old, now] = [before, after].map(({ bare }) => Number(COUNTS.exec(bare)?.[1] ?? Number.NaN));
  const checks = ({ bare }: TestCase) => bare.match(/\b(?:expect|t\.\w+|assert(?:\.\w+)*)\(/g)?.length ?? 0;
  return (now ?? 0) < (old ?? 0) && checks(after) >= checks(before);
}

const COUNTS = /\b(?:expect\.assertions|(?:t|assert)\.plan)\(\s*(\d+)\s*\)/;

/** `done(new Error('…'))` became `done()`, which there may be one more of. */
function endsWellAnyway(before: TestCase, after: TestCase): boolean {
  const [bad, well] = [
    /\b(?:done|cb|callback|next|reject)\(\s*(?:new \w*Error\b|e(?:rr(?:or)?)?\s*\))|\b(?:done|t)\.fail\(/g,
    /\b(?:done|cb|callback|next|resolve|t\.end)\(\s*\)/g,
  ];
  return times(after, bad) < times(before, bad) && times(after, well) > times(before, well);
}

const times = ({ bare }: TestCase, form: RegExp) => bare.match(form)?.length ?? 0;

/** A statement that nothing waits for, with what is called when it is over, or with a check of the project's own. */
const CHAIN =
  /(?:^|[;{}\n])[ \t]*(?!(?:await|return|yield|const|let|var|expect|assert|void|if|for|while|it|test|describe)\b)([A-Za-z_$][\w$.]*\()/g;
const LINK = /\)\s*\.(?:expect|then|catch|finally)\s*\(/;
const OWN_CHECK = /^(?:\w+\.)*_?(?:assert|check|expect|verify)\w*\(/;
const MAX_CHAIN_LENGTH = 1_000; // characters
const ALIKE = 40; // characters by which a statement is told

/** What a test waited for, by which it checked something, and does not wait for any longer. */
function forgottenChain(before: TestCase, after: TestCase): string | null {
  const isPython = after.language === 'python';
  if (!(isPython || after.language === 'javascript') || !WAITS.test(before.bare)) return null;
  if (isPython ? !/\basync[ \t]+def\b/.test(after.bare) : TAKES_CALLBACK.test(after.bare)) return null;
  const had = plainCode(before.code);
  for (const { index, 0: head, 1: start = '' } of after.bare.matchAll(CHAIN)) {
    const from = index + head.length - start.length;
    const end = statementEnd(after.bare, from, isPython);
    const bare = after.bare.slice(from, end);
    if (isPython ? !OWN_CHECK.test(bare) : !(LINK.test(bare) && CHECK.test(bare))) continue;
    const statement = plainCode(after.code.slice(from, end));
    const key = statement.slice(0, ALIKE);
    const forms = isPython ? ['await '] : ['await ', 'return ', '=> '];
    if (forms.some((word) => had.includes(word + key))) return statement;
  }
  return null;
}

const WAITS = /\bawait\b|\breturn\b|=>/;

function statementEnd(bare: string, from: number, isLine: boolean): number {
  let depth = 0;
  for (let at = from; at < Math.min(bare.length, from + MAX_CHAIN_LENGTH); at += 1) {
    const sign = bare[at] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth < 0 || (depth === 0 && (sign === ';' || (isLine && sign === '\n')))) return at;
  }
  return Math.min(bare.length, from + MAX_CHAIN_LENGTH);
}

const TAKES_CALLBACK =
  /\(\s*(?:\w+,\s*)?(done|cb|callback|finish|finished|next)\s*\)\s*(?:=>\s*)?\{|\b(done|cb)\s*=>\s*\{/;
/** Functions that call what they are given at once. */
const SYNCHRONOUS = /\b(?:forEach|map|filter|every|some|reduce|flatMap|throws|doesNotThrow|expect)\(\s*(?:async\s*)?$/;
const FUNCTION = /\bfunction\b[^(){}]{0,100}\([^()]*\)\s*\{|(?:\([^()]*\)|\b\w+)\s*=>\s*(?:\{|(?=\s*expect\b))/g;

/** Whether a test says that it is over in its own code, while it has checks in functions that are called later. */
function callsBackAtOnce({ bare, language }: TestCase): boolean {
  const head = language === 'javascript' ? TAKES_CALLBACK.exec(bare) : null;
  if (head === null) return false;
  const from = head.index + head[0].length;
  const name = head[1] ?? head[2] ?? '';
  const inner = functionsIn(bare, from);
  const isInside = (at: number) => inner.some((one) => one.from <= at && at < one.to);
  const calls = new RegExp(
    `(?<![\\w$.])(?:(?:setTimeout|setImmediate|process\\.nextTick|queueMicrotask)\\(\\s*)?${name}\\b(?=\\s*[(),])`,
    'g',
  );
  const isOver = Array.from(bare.slice(from).matchAll(calls)).some(
    ({ index, 0: call }) =>
      (/\(/.test(call) ||
        bare
          .slice(from + index + name.length)
          .trimStart()
          .startsWith('(')) &&
      !isInside(from + index),
  );
  return isOver && inner.some((one) => CHECK.test(bare.slice(one.from, one.to)));
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The outer functions in the code of a test that are called later. */
function functionsIn(bare: string, start: number): readonly Range[] {
  const found: Range[] = [];
  for (const { index, 0: head } of bare.slice(start).matchAll(FUNCTION)) {
    const from = start + index + head.length;
    if (from < (found.at(-1)?.to ?? 0)) continue;
    if (SYNCHRONOUS.test(bare.slice(Math.max(0, start + index - NEAR), start + index))) continue;
    found.push({ from, to: head.endsWith('{') ? blockEnd(bare, from) : lineEnd(bare, from) });
  }
  return found;
}

const NEAR = 60; // characters: the name of the function that is given another one

function lineEnd(bare: string, from: number): number {
  const end = bare.indexOf('\n', from);
  return end === -1 ? bare.length : end;
}
