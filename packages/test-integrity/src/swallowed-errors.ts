import type { TestCase } from './test-case.ts';

const CHECK = /\b(?:assert|expect|t\.(?:Error|Fatal)|fail|throw)/i;

/** What does nothing about an error: a word in a log. */
const LOGS =
  /(?<![\w.])(?:[\w.]+\.)?(?:log|debug|info|warn|warning|error|trace|exception|puts|p|print\w*)(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[ \t][^\n]*)/g;

function doesNothing(handler: string): boolean {
  return /^[\s;]*$/.test(
    handler
      .replaceAll(LOGS, '')
      .replaceAll(
        /\b(?:return|continue|pass|nil|null|None)\b|\.\.\.|\b(?:done|resolve|callback|cb|finish)\(\s*\)/g,
        '',
      ),
  );
}

/** Whether a failing assertion of a test can be lost: in an empty `catch`, in `except: pass`, by `recover()`. */
export function swallowsErrors({ bare, language }: TestCase): boolean {
  switch (language) {
    case 'javascript':
    case 'jvm':
      return (
        Array.from(bare.matchAll(/\btry\s*\{([\s\S]{0,4000}?)\}\s*catch\s*(?:\([^)]*\))?\s*\{([^{}]*)\}/g)).some(
          ([, tried = '', caught = '']) =>
            CHECK.test(tried) && doesNothing(caught) && !/\bfail\s*\(|unreachable/i.test(tried),
        ) || /\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|void 0)\s*\)/.test(bare)
      );
    case 'python':
      return (
        indentedTries(bare).some(({ tried, handler }) => /\bassert/.test(tried) && doesNothing(handler)) ||
        /\bsuppress\(\s*(?:AssertionError|Exception|BaseException)\b/.test(bare)
      );
    case 'go':
      return (
        /\brecover\(\)/.test(bare) &&
        !/\bt\.(?:Error|Fatal|Fail)\w*\([\s\S]*recover|recover\(\)[\s\S]{0,200}\bt\.(?:Error|Fatal|Fail)/.test(bare)
      );
    case 'rust':
      return /\blet\s+_\s*=\s*(?:std::panic::)?catch_unwind\(/.test(bare);
    case 'outlined':
      return false;
    case 'ruby':
      return (
        Array.from(
          bare.matchAll(/^[ \t]*rescue\b[^\n]*\n((?:(?![ \t]*(?:end|ensure|else|rescue)\b)[^\n]*\n)*)/gm),
        ).some(([, handler = '']) => doesNothing(handler)) || /\brescue\s+nil\b/.test(bare)
      );
  }
}

const EXCEPT = /^([ \t]*)except\b[^\n]*:[ \t]*/gm;
const MAX_TRIES = 50; // of one test
const FAR = 4_000; // characters of a block

/** The blocks of `try` in Python, each with one of its handlers. */
function indentedTries(bare: string): { readonly tried: string; readonly handler: string }[] {
  return Array.from(bare.matchAll(EXCEPT).take(MAX_TRIES), ({ index, 0: head, 1: indent = '' }) => {
    const before = bare.slice(Math.max(0, index - FAR), index);
    const lines = bare.slice(index + head.length, index + head.length + FAR).split('\n');
    const end = lines.findIndex(
      (line, at) => at > 0 && line.trim() !== '' && !line.startsWith(`${indent} `) && !line.startsWith(`${indent}\t`),
    );
    return {
      tried: before.slice(before.lastIndexOf(`${indent}try:`)),
      handler: lines.slice(0, end === -1 ? undefined : end).join('\n'),
    };
  });
}
