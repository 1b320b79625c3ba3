import type { TestCase } from './test-case.ts';

/** Whether a test may be over before its checks are made, or without them, by code that made sure of them before; null if not. */
export function unreachedChecks(before: TestCase, after: TestCase): string | null {
  if (GUARD.test(before.bare) && !GUARD.test(after.bare) && checksInHandler(after)) {
    return 'passes without its checks where nothing fails: they stand in a handler only';
  }
  if (countsFewer(before, after)) return 'counts fewer of the same checks';
  const isEarly = callsBackAtOnce(after) && !callsBackAtOnce(before);
  return isEarly ? 'is over before the checks in its callbacks are made' : null;
}

/** What fails a test that makes no check, or comes where it should not. */
const GUARD =
  /\bexpect\.(?:assertions|hasAssertions)\(|\b(?:t|assert)\.plan\(|\b(?:fail|unreachable)\(|\bflunk\b|\bassert False\b|\braise AssertionError\b|\bthrow new (?:Assertion)?Error\(/;
const CHECK = /\b(?:expect|assert\w*|should)\b/;

const HANDLERS: Readonly<Partial<Record<TestCase['language'], RegExp>>> = {
  javascript: /\bcatch\s*(?:\([^)]{0,200}\))?\s*\{([^{}]*)|\.catch\(([^;]{0,500})/g,
  jvm: /\bcatch\s*\([^)]{0,200}\)\s*\{([^{}]*)/g,
  python: /^[ \t]*except\b[^\n]*:((?:\n[ \t]+[^\n]*){1,3})/gm,
  ruby: /^[ \t]*rescue\b[^\n]*((?:\n[ \t]+[^\n]*){1,3})/gm,
};
const MOST_HANDLERS = 50; // of one test

function checksInHandler({ bare, language }: TestCase): boolean {
  const form = HANDLERS[language];
  if (form === undefined) return false;
  return Array.from(bare.matchAll(form).take(MOST_HANDLERS)).some(([, a, b]) => CHECK.test(a ?? b ?? ''));
}

/** `expect.assertions(2)` became `expect.assertions(1)` of as many checks. */
function countsFewer(before: TestCase, after: TestCase): boolean {
  const [old, now] = [before, after].map(({ bare }) => Number(COUNTS.exec(bare)?.[1] ?? Number.NaN));
  const checks = ({ bare }: TestCase) => bare.match(/\b(?:expect|t\.\w+|assert(?:\.\w+)*)\(/g)?.length ?? 0;
  return (now ?? 0) < (old ?? 0) && checks(after) >= checks(before);
}

const COUNTS = /\b(?:expect\.assertions|(?:t|assert)\.plan)\(\s*(\d+)\s*\)/;

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

function blockEnd(bare: string, from: number): number {
  let depth = 1;
  for (let at = from; at < bare.length; at += 1) {
    if (bare[at] === '{') depth += 1;
    else if (bare[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return bare.length;
}

function lineEnd(bare: string, from: number): number {
  const end = bare.indexOf('\n', from);
  return end === -1 ? bare.length : end;
}
