/** A fenced block with its info string, or a line of prose outside all blocks, quotes and comments. */
export type MarkdownBlock = FencedBlock | TextLine;

interface TextLine {
  readonly kind: 'line';
  readonly text: string;
  /** Its number in the text, from 1. */
  readonly line: number;
}

export interface FencedBlock {
  readonly kind: 'fence';
  readonly info: string;
  /** The lines between the fences, each with its line feed, without the fence's indent. */
  readonly content: string;
  /** The block with its fences, without indent: read again, it is the same block. */
  readonly source: string;
  readonly closed: boolean;
  /** The number of the line that opens it, from 1. */
  readonly line: number;
}

interface OpenFence {
  readonly line: number;
  readonly mark: string;
  readonly indent: number;
  readonly info: string;
  readonly lines: string[];
}

/**
 * The fenced blocks and plain lines of a Markdown text, in order, by CommonMark's rules for fences (``` or ~~~, closed
 * by at least as many of the same, indented by up to three columns or as their list item is). Quoted lines, indented
 * code and comments are left out: a reader of the issue does not take them for instructions.
 */
export function markdownBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let open: OpenFence | null = null;
  let itemIndent = 0;
  let inComment = false;
  for (const [index, line] of text.replaceAll(/\r\n?/g, '\n').split('\n').entries()) {
    if (open !== null) {
      if (closes(line, open)) {
        blocks.push(finished(open, true));
        open = null;
      } else {
        open.lines.push(withoutIndent(line, open.indent));
      }
      continue;
    }
    const visible = withoutComments(line, inComment);
    inComment = visible.inComment;
    if (visible.text.trim() === '') continue;
    itemIndent = indentOfItem(visible.text, itemIndent);
    open = opened(visible.text, { itemIndent, number: index + 1 });
    if (open === null && indentOf(visible.text) < itemIndent + 4 && !/^\s*>/.test(visible.text)) {
      blocks.push({ kind: 'line', text: visible.text.trim(), line: index + 1 });
    }
  }
  if (open !== null) blocks.push(finished(open, false));
  return blocks;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Columns at which the content of the present list item begins; 0 outside of lists. */
function indentOfItem(line: string, before: number): number {
  const item = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+)\S/.exec(line)?.[1];
  if (item !== undefined) return item.length;
  return indentOf(line) === 0 ? 0 : before;
}

function opened(line: string, { itemIndent, number }: { itemIndent: number; number: number }): OpenFence | null {
  const [, marker = '', rest = ''] = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+)(.*)$/.exec(line) ?? [];
  const candidate = /^\s*(?:`{3,}|~{3,})/.test(rest) ? ' '.repeat(marker.length) + rest : line;
  const match = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(candidate);
  if (match === null) return null;
  const [, space = '', mark = '', info = ''] = match;
  if (space.length > itemIndent + 3 || (mark.startsWith('`') && info.includes('`'))) return null;
  return { mark, indent: space.length, info: info.trim(), lines: [], line: number };
}

function closes(line: string, { mark, indent }: OpenFence): boolean {
  const end = line.trim();
  return end.length >= mark.length && end === mark.charAt(0).repeat(end.length) && indentOf(line) <= indent + 3;
}

function withoutIndent(line: string, indent: number): string {
  return line.slice(Math.min(indent, indentOf(line)));
}

function finished({ mark, info, lines, line: number }: OpenFence, closed: boolean): MarkdownBlock {
  const content = lines.map((line) => `${line}\n`).join('');
  return {
    kind: 'fence',
    info,
    content,
    source: [mark + info, ...lines, ...(closed ? [mark] : [])].join('\n'),
    closed,
    line: number,
  };
}

function withoutComments(line: string, inComment: boolean): { text: string; inComment: boolean } {
  const lastRuns = new Map([...line.matchAll(/`+/g)].map((run) => [run[0], run.index]));
  let text = '';
  let inside = inComment;
  for (let at = 0; ; inside = !inside) {
    const mark = inside ? line.indexOf('-->', at) : commentStart(line, at, lastRuns);
    if (!inside) text += line.slice(at, mark < 0 ? undefined : mark);
    if (mark < 0) return { text, inComment: inside };
    at = mark + (inside ? '-->' : '<!--').length;
  }
}

/** Where the next comment begins; -1 when none does. In a code span its mark is text. */
function commentStart(line: string, from: number, lastRuns: ReadonlyMap<string, number>): number {
  const marks = /`+|<!--/g;
  marks.lastIndex = from;
  let span: string | null = null;
  for (let mark = marks.exec(line); mark !== null; mark = marks.exec(line)) {
    if (span !== null) span = mark[0] === span ? null : span;
    else if (mark[0] === '<!--') return mark.index;
    // A span goes on to the next run of as many backticks; without one the run is text.
    else if ((lastRuns.get(mark[0]) ?? -1) > mark.index) span = mark[0];
  }
  return -1;
}
