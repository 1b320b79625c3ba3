import type { SyntaxFault } from '@sluice/core';
import type { Node } from 'web-tree-sitter';
import type { Language } from './language.ts';

/** What closes a block, by language, and as what the grammar takes it where nothing is open: a name, or a command. */
const ENDS: Partial<Record<Language, { readonly line: RegExp; readonly takenFor: string }>> = {
  ruby: { line: /^[ \t]*end[ \t]*$/, takenFor: 'identifier' },
  bash: { line: /^[ \t]*(?:fi|done|esac)\b/, takenFor: 'word' },
};

/** The ends of blocks that close nothing. The grammars of Ruby and Bash take them for a name. */
export function surplusEnds(root: Node, { language, text }: { language: Language; text: string }): SyntaxFault[] {
  const end = ENDS[language];
  if (end === undefined) return [];
  for (const [row, line] of text.split('\n').entries()) {
    if (!end.line.test(line)) continue;
    const column = line.length - line.trimStart().length;
    const node = root.descendantForPosition({ row, column });
    const isName = node?.type === end.takenFor && (language === 'ruby' || node.parent?.type === 'command_name');
    // `x.\nend` is a call of that name.
    if (isName && node.parent?.type !== 'call') return [{ line: row + 1, problem: `"${node.text}" closes nothing` }];
  }
  return [];
}
