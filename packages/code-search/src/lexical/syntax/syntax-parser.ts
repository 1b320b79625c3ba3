import { readFile } from 'node:fs/promises';
import { Language as Grammar, type Node, Parser } from 'web-tree-sitter';
import { type Language, MAX_FILE_BYTES } from './language.ts';

// The largest indexed file takes half a second; a file that takes far longer was made to be slow.
const PARSE_MS = 2_000;

export interface SyntaxParser {
  /**
   * Parses a text and reads its tree, which does not outlive `read`. One call at a time.
   * @returns null when the text is too large or takes too long
   */
  read<T>(source: { language: Language; text: string }, read: (root: Node) => T): Promise<T | null>;
}

/** Grammars are loaded when first needed. Not for the event loop: a parse takes up to two seconds. */
export async function createSyntaxParser(parseMs = PARSE_MS): Promise<SyntaxParser> {
  await Parser.init();
  const parser = new Parser();
  const grammars = new Map<Language, Grammar>();
  const grammarOf = async (language: Language): Promise<Grammar> => {
    const grammar = grammars.get(language) ?? (await loadGrammar(language));
    grammars.set(language, grammar);
    return grammar;
  };
  return {
    async read({ language, text }, read) {
      if (text.length > MAX_FILE_BYTES) return null;
      parser.setLanguage(await grammarOf(language));
      const until = performance.now() + parseMs;
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
      if (tree === null) {
        parser.reset(); // else the next parse goes on where this one was stopped
        return null;
      }
      try {
        return read(tree.rootNode);
      } finally {
        tree.delete(); // its memory is WebAssembly's, where nothing is collected
      }
    },
  };
}

async function loadGrammar(language: Language): Promise<Grammar> {
  const beside = import.meta.resolve('@vscode/tree-sitter-wasm');
  return Grammar.load(await readFile(new URL(`./tree-sitter-${language}.wasm`, beside)));
}
