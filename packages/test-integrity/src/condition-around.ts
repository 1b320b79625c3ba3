import { holdsOnLinux } from './holds-on-linux.ts';
import { tableDecides } from './table-decides.ts';
import type { TestCase } from './test-case.ts';

const MAX_LINES = 200; // above a check
const FAR = 8_000; // characters on either side: a test may have thousands of checks

/**
 * The `if` that a check in a test stands in, as it is written, or null. Not one with an `else`, which checks something in any
 * case, nor one that a table decides, or that holds on Linux.
 */
export function conditionAround(test: TestCase, from: number, to: number): string | null {
  const condition =
    operandBefore(test, from) ?? trailingIf(test, to) ?? ifAround(test, from) ?? expectedErrorAround(test, from);
  if (condition === null || tableDecides(condition)) return null;
  return isTakenOnLinux(condition) ? null : condition;
}

const OPERAND = /(?:^|[;{}\n])[ \t]*([^;{}\n]*[^;{}\s&?])\s*(?:&&|\?)\s*$/;

/** `user && expect(user.name).toBe('a')`, `user ? expect(user.name).toBe('a') : undefined`. */
function operandBefore({ bare, code, language }: TestCase, at: number): string | null {
  if (language !== 'javascript') return null;
  const before = bare.slice(Math.max(0, at - MAX_HEAD_LENGTH), at);
  const found = OPERAND.exec(before)?.[1];
  if (found === undefined) return null;
  const from = at - before.length + before.lastIndexOf(found);
  return `if (${code.slice(from, from + found.length)})`;
}

/** Ruby's condition at the end of a line. */
function trailingIf({ bare, code, language }: TestCase, to: number): string | null {
  if (language !== 'ruby') return null;
  const line = bare.slice(bare.lastIndexOf('\n', to - 1) + 1, to + MAX_HEAD_LENGTH).split('\n', 1)[0] ?? '';
  const found = /\s((?:if|unless)\b.*)$/.exec(line);
  if (found === null) return null;
  const from = bare.lastIndexOf('\n', to - 1) + 1 + found.index;
  return code.slice(from, from + found[0].length).trim();
}

/** Whether an `if`, as it is written, takes its branch on Linux. */
function isTakenOnLinux(around: string): boolean {
  const { isNegated, condition } = conditionOf(around);
  return holdsOnLinux(condition) === !isNegated;
}

/** The condition of an `if`, or of an `unless`. */
export function conditionOf(around: string): { readonly isNegated: boolean; readonly condition: string } {
  const [, word, condition = ''] = /^(if|unless)\b([\s\S]*?):?$/.exec(around) ?? [];
  return { isNegated: word === 'unless', condition };
}

/** The `if` or `unless` that something stands in, as it is written, or null. */
export function ifAround(
  { bare, code, language }: Pick<TestCase, 'bare' | 'code' | 'language'>,
  at: number,
): string | null {
  const byIndent = language === 'python' || language === 'ruby';
  const found = byIndent ? byIndentation(bare, at, BRANCH) : byBraces(bare, at);
  return found === null ? null : code.slice(found.from, found.to).replaceAll(/\s+/g, ' ').trim();
}

const EXPECTS_ERROR = /^\s*(?:async\s+)?with\b.*\b(?:raises|assertRaises\w*)\s*\(/;

/** `with pytest.raises(AssertionError):` around a check, which is to fail then. */
function expectedErrorAround({ bare, code, language }: TestCase, at: number): string | null {
  if (language !== 'python') return null;
  const found = byIndentation(bare, at, EXPECTS_ERROR);
  return found === null ? null : code.slice(found.from, found.to).trim();
}

interface Found {
  readonly from: number;
  readonly to: number;
}

const DIRECT = /(?:^|[;{}\n])[ \t]*(if\s*\([^;{}\n]*\))\s*(?:(?:await|return)\s+)?$/;
const MAX_HEAD_LENGTH = 400; // characters

function byBraces(bare: string, at: number): Found | null {
  const before = bare.slice(Math.max(0, at - MAX_HEAD_LENGTH), at);
  const direct = DIRECT.exec(before);
  if (direct !== null) {
    const from = at - before.length + direct.index + direct[0].indexOf('if');
    return { from, to: from + (direct[1] ?? '').length };
  }
  let depth = 0;
  for (let index = at - 1; index >= Math.max(0, at - FAR); index -= 1) {
    if (bare[index] === '}') depth += 1;
    if (bare[index] !== '{') continue;
    depth -= 1;
    if (depth >= 0) continue;
    depth = 0;
    const head = /(?:^|[;{}\n])[ \t]*(if\b[^;{}]*)$/.exec(bare.slice(Math.max(0, index - MAX_HEAD_LENGTH), index));
    if (head !== null && !hasElse(bare, index)) return { from: index - (head[1] ?? '').length, to: index };
  }
  return null;
}

function hasElse(bare: string, open: number): boolean {
  let depth = 0;
  for (let index = open; index < Math.min(bare.length, open + FAR); index += 1) {
    if (bare[index] === '{') depth += 1;
    if (bare[index] === '}') depth -= 1;
    if (depth === 0) return /^\}\s*else\b/.test(bare.slice(index, index + 20));
  }
  return false;
}

const BRANCH = /^\s*(?:if|unless)\b/;

function byIndentation(bare: string, at: number, head: RegExp): Found | null {
  const above = bare.slice(Math.max(0, at - FAR), at).split('\n');
  const direct = /^[ \t]*(?=if\b.*:\s*$)/.exec(above.at(-1) ?? '');
  if (direct !== null) return { from: at - (above.at(-1)?.length ?? 0) + direct[0].length, to: at };
  let from = at - (above.at(-1)?.length ?? 0);
  let indent = indentOf(bare.slice(from, at + FAR).split('\n', 1)[0] ?? '');
  for (const line of above.slice(0, -1).reverse().slice(0, MAX_LINES)) {
    from -= line.length + 1;
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    if (head.test(line)) {
      const after = bare
        .slice(from, from + FAR)
        .split('\n')
        .slice(1);
      const next = after.find((one) => one.trim() !== '' && indentOf(one) <= indent);
      if (!/^\s*(?:else|elif|elsif)\b/.test(next ?? '')) return { from, to: from + line.length };
    }
  }
  return null;
}

const indentOf = (line: string) => line.length - line.trimStart().length;
