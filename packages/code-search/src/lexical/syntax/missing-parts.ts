import type { SyntaxFault } from '@sluice/core/code-search';
import type { Node } from 'web-tree-sitter';
import type { Language } from './language.ts';

/** Whether a language has tags in its code. */
const WITH_TAGS: ReadonlySet<Language> = new Set<Language>(['tsx', 'javascript']);

/** Faults that the grammars accept: the missing handler of a `try`, the missing closing tag of an element. */
export function missingParts(root: Node, language: Language): SyntaxFault[] {
  if (language === 'python') return triesAlone(root);
  return WITH_TAGS.has(language) ? otherTags(root) : [];
}

function triesAlone(root: Node): SyntaxFault[] {
  return nodesOf(root, 'try_statement')
    .filter((node) => !node.children.some((child) => /^(?:except|finally)_/.test(child?.type ?? '')))
    .map((node) => ({ line: lineOf(node), problem: '"try" has neither "except" nor "finally"' }));
}

function otherTags(root: Node): SyntaxFault[] {
  return nodesOf(root, 'jsx_element').flatMap((node) => {
    const [open, close] = ['open_tag', 'close_tag'].map((tag) => node.childForFieldName(tag));
    const [opened = '', closed = ''] = [open, close].map((tag) => tag?.childForFieldName('name')?.text);
    if (opened === closed || close == null) return [];
    return [{ line: lineOf(close), problem: `"</${closed}>" closes "<${opened}>"` }];
  });
}

function nodesOf(root: Node, type: string): Node[] {
  return root.descendantsOfType(type).filter((node) => node !== null);
}

function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}
