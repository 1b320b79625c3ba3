import type { SyntaxFault } from '@sluice/core/code-search';
import type { Node } from 'web-tree-sitter';
import type { Language } from './language.ts';
import { missingParts } from './missing-parts.ts';
import { pythonIndentation } from './python-indentation.ts';
import type { SyntaxParser } from './syntax-parser.ts';

const MAX_FAULTS = 10; // the first ones; the others usually follow from them
const MAX_SHOWN = 40; // characters of what was not expected

/** Where the tree has an error, but no node of it says where. */
const DOES_NOT_PARSE: SyntaxFault = { line: 1, problem: 'it does not parse' };

/**
 * The faults of a text by the grammar of its language, with those that the grammar wrongly accepts. Null where parsing
 * takes too long.
 */
export async function grammarFaults(
  parser: SyntaxParser,
  { language, text }: { readonly language: Language; readonly text: string },
): Promise<SyntaxFault[] | null> {
  return await parser.read({ language, text }, (root) => {
    const faults = root.hasError ? treeFaults(root) : [];
    if (language === 'python' && faults.length === 0) faults.push(...pythonIndentation(root, text));
    if (faults.length === 0) faults.push(...missingParts(root, language), ...surplusEnds(root, { language, text }));
    return faults.length === 0 && root.hasError ? [DOES_NOT_PARSE] : faults.slice(0, MAX_FAULTS);
  });
}

function treeFaults(root: Node): SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  const visit = (node: Node): void => {
    if (faults.length >= MAX_FAULTS) return;
    const line = node.startPosition.row + 1;
    if (node.isMissing) faults.push({ line, problem: `${quoted(node.type)} is missing` });
    else if (node.isError) faults.push({ line, problem: `${quoted(node.text)} is not expected` });
    if (node.hasError) for (const child of node.children) if (child !== null) visit(child);
  };
  visit(root);
  return faults;
}

function quoted(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return `"${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line}"`;
}

/** The ends of blocks in Ruby that close nothing. The grammar takes them for a name. */
function surplusEnds(root: Node, { language, text }: { language: Language; text: string }): SyntaxFault[] {
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
