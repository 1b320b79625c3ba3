import type { SyntaxFault } from '@sluice/core/code-search';
import type { Node } from 'web-tree-sitter';
import type { Language } from './language.ts';

/** The ends of blocks in Ruby that close nothing. The grammar takes them for a name. */
export function surplusEnds(root: Node, { language, text }: { language: Language; text: string }): SyntaxFault[] {
  if (language !== 'ruby') return [];
  for (const [row, line] of text.split('\n').entries()) {
    if (!/^[ \t]*end[ \t]*$/.test(line)) continue;
    const node = root.descendantForPosition({ row, column: line.length - line.trimStart().length });
    // `x.\nend` is a call of that name.
    if (node?.type === 'identifier' && node.parent?.type !== 'call') {
      return [{ line: row + 1, problem: '"end" closes nothing' }];
    }
  }
  return [];
}
