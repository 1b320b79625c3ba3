import type { TestCase } from './test-case.ts';

const MOST_LINES = 200; // above a check
const FAR = 8_000; // characters on either side: a test may have thousands of checks

/**
 * The `if` that a check in a test stands in, as it is written, or null. Not one with an `else`, which checks something in any
 * case, nor one that a table or the system decides.
 */
export function conditionAround({ bare, code, language }: TestCase, at: number): string | null {
  const byIndent = language === 'python' || language === 'ruby';
  const found = byIndent ? byIndentation(bare, at) : byBraces(bare, at);
  if (found === null) return null;
  const condition = code.slice(found.from, found.to).replaceAll(/\s+/g, ' ').trim();
  return DECIDED_ELSEWHERE.test(condition) ? null : condition;
}

const DECIDED_ELSEWHERE =
  /want|expect|platform|version|win32|windows|darwin|linux|GOOS|os\.name|\benv\b|environ|available|support/i;

interface Found {
  readonly from: number;
  readonly to: number;
}

function byBraces(bare: string, at: number): Found | null {
  let depth = 0;
  for (let index = at - 1; index >= Math.max(0, at - FAR); index -= 1) {
    if (bare[index] === '}') depth += 1;
    if (bare[index] !== '{') continue;
    depth -= 1;
    if (depth >= 0) continue;
    depth = 0;
    const head = /(?:^|[;{}\n])[ \t]*(if\b[^;{}]*)$/.exec(bare.slice(Math.max(0, index - 400), index));
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

function byIndentation(bare: string, at: number): Found | null {
  const above = bare.slice(Math.max(0, at - FAR), at).split('\n');
  let from = at - (above.at(-1)?.length ?? 0);
  let indent = indentOf(bare.slice(from, at + FAR).split('\n', 1)[0] ?? '');
  for (const line of above.slice(0, -1).reverse().slice(0, MOST_LINES)) {
    from -= line.length + 1;
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    if (/^\s*(?:if|unless)\b/.test(line)) {
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
