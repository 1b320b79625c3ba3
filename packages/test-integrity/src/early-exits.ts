import { holdsOnLinux } from './holds-on-linux.ts';
import { tableDecidesExit } from './table-decides.ts';
import type { TestCase } from './test-case.ts';

/** A `return` after which nothing of a block is run, or not always. */
export interface EarlyExit {
  readonly from: number;
  /** The end of the block that it leaves. */
  readonly to: number;
  /** The exit in source form, with its condition; `return` alone where it has none. */
  readonly text: string;
}

/** Whether the condition of a check is an exit before it that is always taken. */
export function isExit(condition: string | null): boolean {
  return condition !== null && /^(?:return|continue|next)$/.test(condition);
}

const MAX_EXITS = 100; // of one test
const FAR = 8_000; // characters after an exit
const MAX_HEAD_LENGTH = 400; // characters of a condition

/** The exits of a test that leave checks behind them out. Not those that a table decides, or that are taken elsewhere than on Linux. */
export function earlyExits(test: TestCase): EarlyExit[] {
  const isIndented = test.language === 'python' || test.language === 'ruby';
  const found = isIndented ? indentedExits(test) : bracedExits(test);
  return found.filter(({ text }) => {
    // What is not there in some environments.
    if (MISSING.test(text)) return false;
    const [, word, condition = ''] = /\b(if|unless)\b\s*([\s\S]*?)\s*(?:\{|:|$)/.exec(text) ?? [];
    return word === undefined || !(tableDecidesExit(condition) || holdsOnLinux(condition) === (word === 'unless'));
  });
}

const MISSING =
  /^(?:catch|except|rescue)\b.*(?:ClassNotFound|NoClassDef|Import|ModuleNotFound|Load)(?:Exception|Error)/;

const BRACED = /\b(?:return|continue)\b(?=[ \t]*(?:undefined|null|nil|void 0)?[ \t]*[;,\n}])/g;
/** Nothing but the exit, and perhaps a word about it, is in the braces. */
const IN_BRACES =
  /(?:^|[;{}\n])[ \t]*((?:if|catch)\b[^;{}]*|let\b[^;{}]*\belse\s*)\{\s*(?:(?:(?:console|log|logger|LOG|System\.\w+|fmt)\.\w+|t\.Logf?|print\w*!?)\([^(){};\n]*\);?\s*)?$/;
const DIRECT = /(?:^|[;{}\n])[ \t]*(if\s*\([^;{}\n]*\)|[^;{}\n]*\?:)\s*$/;
/** A case of a `match` of Rust. */
const ARM = /(?:^|[;{},\n])[ \t]*([\w:]+(?:\([^()\n]*\))?\s*=>)\s*$/;
const STATEMENT = /(?:^|[;{}\n])[ \t]*$/;
const BRANCH = /(?:^|\n)[ \t]*(?:\}[ \t]*)?(?:else|if|for|while)\b[^;{}\n]*\n?[ \t]*$/;

function bracedExits({ bare, code, language }: TestCase): EarlyExit[] {
  return Array.from(bare.matchAll(BRACED).take(MAX_EXITS)).flatMap(({ index, 0: word }) => {
    const before = bare.slice(Math.max(0, index - MAX_HEAD_LENGTH), index);
    const inBraces = IN_BRACES.exec(before);
    const arm = language === 'rust' ? ARM.exec(before) : null;
    const guard = inBraces ?? arm ?? DIRECT.exec(before);
    const to = blockEnd(bare, index, inBraces === null && arm === null ? 1 : 2);
    if (guard !== null) {
      const from = index - before.length + guard.index + guard[0].indexOf(guard[1] ?? '');
      const condition = code.slice(from, from + (guard[1] ?? '').length);
      return [{ from: index, to, text: `${condition.replaceAll(/\s+/g, ' ').trim()} ${word}` }];
    }
    // What stands behind it in the same block is never run, whatever the block.
    const isAlone = STATEMENT.test(before) && !BRANCH.test(before);
    return isAlone ? [{ from: index, to, text: word }] : [];
  });
}

function blockEnd(bare: string, at: number, levels: number): number {
  let depth = levels;
  for (const { index, 0: sign } of bare.slice(at, at + FAR).matchAll(/[{}]|\b(?:case|default)\b/g)) {
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (depth === 0 || (depth === levels && sign.length > 1)) return at + index;
  }
  return Math.min(bare.length, at + FAR);
}

const INDENTED =
  /^([ \t]+)(?:(if\b[^\n]*):[ \t]*)?(return|continue|next)[ \t]*(?:None|nil)?[ \t]*((?:if|unless)\b[^\n]*)?$/gm;

function indentedExits({ bare, code }: TestCase): EarlyExit[] {
  return Array.from(bare.matchAll(INDENTED).take(MAX_EXITS)).flatMap((match) => {
    const { index, 0: line, 1: indent = '', 2: before, 3: word = '', 4: after } = match;
    const above = lineAbove(bare, index);
    const isBranch = /^[ \t]*(?:if|unless|except|rescue)\b/.test(above.text) && indentOf(above.text) < indent.length;
    const depth = isBranch ? indentOf(above.text) : indent.length;
    const to = dedent(bare, index + line.length, depth);
    if (before !== undefined || after !== undefined)
      return [{ from: index, to, text: code.slice(index, index + line.length).trim() }];
    if (isBranch)
      return [{ from: index, to, text: `${code.slice(above.from, above.from + above.text.length).trim()} ${word}` }];
    return [{ from: index, to, text: word }];
  });
}

function lineAbove(bare: string, index: number): { readonly from: number; readonly text: string } {
  const before = bare.slice(Math.max(0, index - MAX_HEAD_LENGTH), index).trimEnd();
  const text = before.slice(before.lastIndexOf('\n') + 1);
  return { from: Math.max(0, index - MAX_HEAD_LENGTH) + before.length - text.length, text };
}

/** The first line after `at` that is indented less. */
function dedent(bare: string, at: number, indent: number): number {
  let from = at;
  for (const line of bare.slice(at, at + FAR).split('\n')) {
    if (line.trim() !== '' && indentOf(line) < indent) return from;
    from += line.length + 1;
  }
  return Math.min(bare.length, at + FAR);
}

const indentOf = (line: string) => line.length - line.trimStart().length;
