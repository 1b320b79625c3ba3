import type { SyntaxFault } from '@sluice/core/code-search';
import type { Node } from 'web-tree-sitter';

const TAB = 8; // as Python's own tokenizer counts
const BRACKETS: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** Keywords that never follow themselves, written twice; the grammar takes the second one for a name. */
const DOUBLED =
  /(?<![\w.])(def|class|return|import|from|if|elif|else|for|while|with|as|try|except|finally|raise|pass|del|global|assert|in|is|and|or)[ \t]+\1(?!\w)/;

/**
 * Faults that the grammar forgives and Python does not: a missing block, a line that is indented for no reason, an
 * indent that matches no outer one, and a doubled keyword.
 *
 * @param root of a tree without errors
 */
export function pythonIndentation(root: Node, text: string): SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  const indents = [0];
  let opens = false;
  let opener = 1;
  for (const { line, indent, code } of logicalLines(root, text)) {
    const top = indents.at(-1) ?? 0;
    if (opens && indent <= top) faults.push({ line, problem: `an indented block is missing after line ${opener}` });
    else if (opens) indents.push(indent);
    else if (indent > top) {
      faults.push({ line, problem: 'this line is indented, but the one before it opens no block' });
      indents.push(indent);
    }
    while ((indents.at(-1) ?? 0) > indent) indents.pop();
    if (indents.at(-1) !== indent) {
      faults.push({ line, problem: 'its indentation matches no outer line' });
      indents.push(indent);
    }
    const doubled = DOUBLED.exec(code)?.[1];
    if (doubled !== undefined) faults.push({ line, problem: `"${doubled}" stands there twice` });
    opens = code.endsWith(':');
    opener = line;
  }
  if (opens) faults.push({ line: opener, problem: 'the block after it is missing' });
  return faults;
}

interface LogicalLine {
  /** The line at which it begins, from 1. */
  readonly line: number;
  /** Columns. */
  readonly indent: number;
  /** The line's code, without its comment and without the content of its strings. */
  readonly code: string;
}

/** The lines as Python sees them: those that go on in brackets, in a string or after a backslash are one. */
function logicalLines(root: Node, text: string): LogicalLine[] {
  const lines: LogicalLine[] = [];
  const bare = withoutStringsAndComments(root, text).split('\n');
  let depth = 0;
  let begun: { readonly line: number; readonly indent: number } | null = null;
  let parts: string[] = [];
  for (const [index, physical] of bare.entries()) {
    if (begun === null && physical.trim() === '') continue;
    begun ??= { line: index + 1, indent: indentOf(physical) };
    for (const char of physical) depth += BRACKETS[char] ?? 0;
    const part = physical.trimEnd();
    parts.push(part.replace(GOES_ON, ''));
    if (depth > 0 || GOES_ON.test(part)) continue;
    lines.push({ ...begun, code: parts.join(' ').trim() });
    begun = null;
    parts = [];
  }
  return begun === null ? lines : [...lines, { ...begun, code: parts.join(' ') }];
}

/** Stands for the rest of a line inside a string. */
const INSIDE = '\u0001';
const GOES_ON = new RegExp(`[\\\\${INSIDE}]$`);

/** The same lines, with spaces for comments and quotes for strings; a line that ends in a string ends in a mark. */
function withoutStringsAndComments(root: Node, text: string): string {
  let bare = '';
  let at = 0;
  const visit = (node: Node): void => {
    if (node.type === 'string' || node.type === 'comment') {
      bare += text.slice(at, node.startIndex);
      const breaks = text.slice(node.startIndex, node.endIndex).split('\n').length - 1;
      if (node.type === 'string') bare += `""${`${INSIDE}\n`.repeat(breaks)}`;
      at = node.endIndex;
      return;
    }
    for (const child of node.children) if (child !== null) visit(child);
  };
  visit(root);
  return bare + text.slice(at);
}

function indentOf(line: string): number {
  let columns = 0;
  for (const char of line) {
    if (char === '\t') columns += TAB - (columns % TAB);
    else if (char === ' ') columns += 1;
    else if (char !== '\f') break;
  }
  return columns;
}
