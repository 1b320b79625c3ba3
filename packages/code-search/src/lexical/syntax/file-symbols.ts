import type { CodeSymbol } from '@sluice/core/code-search';
import type { Node } from 'web-tree-sitter';
import type { Language } from './language.ts';
import { type SymbolRules, symbolRules } from './symbol-rules.ts';

// Written code has far less of all of them; a file made to have more must not fill the index or an answer.
const MAX_SYMBOLS = 5_000;
const MAX_NESTING = 40;
const MAX_NAME_LENGTH = 120;
const MAX_SIGNATURE_LENGTH = 240;

/** Symbols with members, in which a function is a method. */
const CLASSES = new Set(['class', 'struct', 'union', 'trait', 'impl', 'interface', 'enum', 'record']);
/** Symbols whose content is not listed. */
const CLOSED = new Set(['function', 'method', 'constructor', 'macro', 'property']);

/** What a file defines, in the order in which it stands there. */
export function fileSymbols(root: Node, source: { language: Language; text: string }): CodeSymbol[] {
  const lines = source.text.split('\n');
  const symbols: CodeSymbol[] = [];
  const rules = symbolRules[source.language];
  const visit = (node: Node, owner: CodeSymbol | null, nesting: number): void => {
    if (nesting > MAX_NESTING) return;
    for (const child of node.namedChildren) {
      if (symbols.length >= MAX_SYMBOLS) return;
      if (child === null) continue;
      const symbol = symbolOf(child, { rules, owner, lines });
      if (symbol !== null) symbols.push(symbol);
      if (symbol === null ? rules.through.has(child.type) : !CLOSED.has(symbol.kind)) {
        visit(child, symbol ?? owner, nesting + 1);
      }
    }
  };
  visit(root, null, 0);
  return symbols;
}

function symbolOf(
  node: Node,
  at: { rules: SymbolRules; owner: CodeSymbol | null; lines: readonly string[] },
): CodeSymbol | null {
  const rule = Object.hasOwn(at.rules.symbols, node.type) ? at.rules.symbols[node.type] : undefined;
  const kind = rule?.kind(node) ?? null;
  if (rule === undefined || kind === null) return null;
  const name = rule.name(node)?.replaceAll(/\s+/g, ' ').trim() ?? '';
  if (name === '') return null;
  const { owner, lines } = at;
  const startLine = node.startPosition.row + 1;
  // A node that ends with its line's end says column 0 of the next one.
  const endLine = Math.max(startLine, node.endPosition.column === 0 ? node.endPosition.row : node.endPosition.row + 1);
  return {
    kind: kind === 'function' && owner !== null && CLASSES.has(owner.kind) ? 'method' : kind,
    name: name.slice(0, MAX_NAME_LENGTH),
    startLine,
    endLine: Math.min(endLine, lines.length),
    depth: owner === null ? 0 : owner.depth + 1,
    signature: (lines[startLine - 1] ?? '').trim().slice(0, MAX_SIGNATURE_LENGTH),
  };
}
