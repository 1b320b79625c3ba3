import { loopedValues } from './looped-lists.ts';
import type { TestCase } from './test-case.ts';

/** The rows of the tables in a test, by how they are written. */
export interface TableRows {
  /** Rows on one line each, or one value of a list. */
  readonly short: readonly string[];
  /** Rows over several lines each. */
  readonly long: readonly string[];
  /** Parts over several lines that stand alone, and may be the last row of a table. */
  readonly single: readonly string[];
}

export function tableRows({ bare, code }: TestCase): TableRows {
  const lines = code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:[[({].*[\])}]|Some\(.*\)|&?\[.*\]|"[^"]*"\s*:\s*\{.*\}),$/.test(line));
  const { rows, single } = blocksIn(bare);
  const textOf = ({ from, to }: Block) => code.slice(from, to);
  return {
    short: [...lines, ...loopedValues({ bare, code })],
    long: rows.map(textOf),
    single: single.map(textOf),
  };
}

interface Block {
  readonly from: number;
  readonly to: number;
}

interface OpenBlock {
  readonly at: number;
  readonly from: number | null;
  readonly inner: Block[];
  holdsRows: boolean;
}

const BEGINS = /^[ \t]*(?:["'`][^"'`]*["'`][ \t]*[:=]>?[ \t]*)?[&\w.]*$/;
const MAX_HEAD_LENGTH = 200; // characters before the bracket that opens a row

/** Elements of a list that take several lines each: at least two of them, of which none is a list of such elements itself. */
function blocksIn(bare: string): { readonly rows: readonly Block[]; readonly single: readonly Block[] } {
  const [rows, single]: [Block[], Block[]] = [[], []];
  const open: OpenBlock[] = [];
  const take = ({ inner }: OpenBlock): boolean => {
    (inner.length < 2 ? single : rows).push(...inner);
    return inner.length >= 2;
  };
  const file: OpenBlock = { at: 0, from: null, inner: [], holdsRows: false };
  for (const { index, 0: sign } of bare.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(sign)) {
      open.push({ at: index, from: rowStart(bare, index), inner: [], holdsRows: false });
      continue;
    }
    const block = open.pop();
    if (block === undefined) continue;
    const parent = open.at(-1) ?? file;
    if (take(block) || block.holdsRows) parent.holdsRows = true;
    else if (block.from !== null && /^[ \t]*,?[ \t]*(?:\n|$)/.test(bare.slice(index + 1, index + 20))) {
      parent.inner.push({ from: block.from, to: index + 1 });
    }
  }
  take(file);
  return { rows, single };
}

/** Where the line of a bracket begins, if the bracket is the last on it and nothing but a key is before it. */
function rowStart(bare: string, at: number): number | null {
  if (!/^[ \t]*\n/.test(bare.slice(at + 1, at + 20))) return null;
  const line = bare.lastIndexOf('\n', at) + 1;
  return at - line <= MAX_HEAD_LENGTH && BEGINS.test(bare.slice(line, at)) ? line : null;
}
