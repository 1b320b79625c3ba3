import type { TestCase } from './test-case.ts';

/** Functions that a test makes and may call: the first group is the name. */
const LOCAL: Readonly<Partial<Record<TestCase['language'], RegExp>>> = {
  javascript:
    /(?:^|[;{}\n])[ \t]*(?:(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>\s*\{|(?:async\s+)?function\s+(\w+)\s*\([^()]*\)\s*\{|(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s+)?function\s*\([^()]*\)\s*\{)/g,
  go: /(?:^|[;{}\n])[ \t]*(\w+)\s*:?=\s*func\([^()]*\)[^{}\n]*\{/g,
  rust: /\blet\s+(\w+)\s*=\s*(?:move\s+)?(?:\|[^|\n]*\|\s*|async\s+(?:move\s+)?)\{/g,
  jvm: /\b(?:val\s+(\w+)\s*(?::[^=\n]*)?=\s*(?:suspend\s*)?\{|(?:Runnable|Executable|Callable(?:<[^<>]*>)?|Supplier<[^<>]*>)\s+(\w+)\s*=\s*\(\)\s*->\s*\{)/g,
  ruby: /^[ \t]*(\w+)[ \t]*=[ \t]*(?:->|lambda|proc|Proc\.new)[^\n{]*\{/gm,
};
/** A test that gives a function, which its runner does not call. */
const GIVES_FUNCTION =
  /^[^{}]*\bfun\s+(?:`[^`\n]*`|\w+)\s*\(\s*\)[^{}=]*=\s*(?:(?:suspend|lazy|sequence|flow)\b\s*|(?:\w+(?:\([^()]*\))?\.)?(?:launch|async|thread)\b(?:\([^()]*\))?\s*|fun\s*\(\s*\)\s*)?\{|^\s*[\w.]+\([^{}]{0,300},\s*(?:async\s*)?\(\s*\)\s*=>\s*(?:async\s*)?\(\s*\)\s*=>/;
const MAX_FUNCTIONS = 30; // of one test

/** Code that runs beside the test, of which nothing is kept. */
const DETACHED =
  /(?:^|[;{}\n])[ \t]*(?:(?:tokio::|std::|thread::|async_std::|task::)+spawn\([^{;\n]*\{|GlobalScope\.(?:launch|async)\b[^{;\n]*\{|go func\([^()]*\)\s*\{|(?:setTimeout|setImmediate|queueMicrotask|process\.nextTick)\(\s*(?:async\s*)?\([^()]*\)\s*=>\s*\{)/g;
const WAITS =
  /\bwg\b|WaitGroup|<-|\bjoin|errgroup|\b\w*(?:[aA]dvance|runAll|runOnly|[tT]imers|[wW]aitFor|[eE]ventually)\w*\b|\btick\w*\(|\bdone\b|\bresolve\b|\bSleep\b/;

function detachedChecks(bare: string): number {
  if (WAITS.test(bare)) return 0;
  return Array.from(bare.matchAll(DETACHED).take(MAX_FUNCTIONS)).reduce((sum, { index, 0: head }) => {
    const from = index + head.length;
    const end = blockEnd(bare, from);
    return /^\}\s*\)?\s*\.\s*(?:await|join)\b/.test(bare.slice(end, end + NEAR))
      ? sum
      : sum + countChecks(bare.slice(from, end));
  }, 0);
}

/** How many checks of a test stand in functions that it never calls. */
export function uncalledChecks({ bare, language }: TestCase): number {
  if ((language === 'jvm' || language === 'javascript') && GIVES_FUNCTION.test(bare)) return countChecks(bare);
  if (language === 'python') return uncalledInPython(bare);
  const form = LOCAL[language];
  if (form === undefined) return 0;
  return Array.from(bare.matchAll(form).take(MAX_FUNCTIONS)).reduce((sum, { index, 0: head, ...names }) => {
    const name = names[1] ?? names[2] ?? names[3] ?? '';
    if (name !== '_' && isNamedTwice(name, bare)) return sum;
    const from = index + head.length;
    return sum + countChecks(bare.slice(from, blockEnd(bare, from)));
  }, detachedChecks(bare));
}

function isNamedTwice(name: string, bare: string): boolean {
  return Array.from(bare.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g')).take(2)).length > 1;
}

const countChecks = (bare: string) =>
  bare.match(/\b(?:expect|assert\w*|should\w*|t\.(?:Error|Fatal)f?)\b/g)?.length ?? 0;

/** A function inside a test, without a decorator, up to a line that is indented as it is. */
function uncalledInPython(bare: string): number {
  const inner = Array.from(bare.matchAll(INNER).take(MAX_FUNCTIONS)).slice(0, MAX_FUNCTIONS);
  return inner.reduce((sum, { index, 0: head, 1: indent = '', 2: name = '' }) => {
    const isFirst = !/\bdef\b/.test(bare.slice(0, index));
    if (isFirst || isNamedTwice(name, bare) || /@[^\n]*\n\s*$/.test(bare.slice(Math.max(0, index - NEAR), index + 1)))
      return sum;
    const lines = bare.slice(index + head.length).split('\n');
    const end = lines.findIndex(
      (line, at) => at > 0 && line.trim() !== '' && !/^[ \t]/.test(line.slice(indent.length)),
    );
    return sum + countChecks(lines.slice(0, end === -1 ? undefined : end).join('\n'));
  }, 0);
}

const INNER = /^([ \t]+)(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(/gm;

const NEAR = 60; // characters: a decorator above

/** The brace that closes a block, from inside of it. */
export function blockEnd(bare: string, from: number): number {
  let depth = 1;
  for (let at = from; at < bare.length; at += 1) {
    if (bare[at] === '{') depth += 1;
    else if (bare[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return bare.length;
}
