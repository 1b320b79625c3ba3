import type { SyntaxFault } from '@sluice/core/code-search';
import { grammarFaults } from './grammar-faults.ts';
import { type Language, languageOf, MAX_FILE_BYTES } from './language.ts';
import { parsesOtherwise } from './parses-otherwise.ts';
import { shellFaults } from './shell-faults.ts';
import type { SyntaxParser } from './syntax-parser.ts';
import { unbalancedBrackets } from './unbalanced-brackets.ts';

/**
 * Languages whose grammar does not know what people write: macros of C and C++, nesting and ranges of CSS, half of the shell.
 * Of their files only the brackets are checked, of the shell also its blocks.
 */
const WITHOUT_GRAMMAR: Partial<Record<Language, (text: string) => SyntaxFault[]>> = {
  cpp: (text) => unbalancedBrackets(text, { lineComments: true }),
  css: (text) => unbalancedBrackets(text, { lineComments: false }),
  bash: shellFaults,
};

/** Its grammar refuses too much of what runs. */
const UNCHECKED: ReadonlySet<Language> = new Set<Language>(['powershell']);

/**
 * The lines at which a text does not parse; empty for one that does. Null where that is not known: no grammar for its
 * language, a text that is too large, or one that takes too long.
 */
export async function syntaxFaults(
  parser: SyntaxParser,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<SyntaxFault[] | null> {
  if (text.length > MAX_FILE_BYTES) return null;
  const marks = [...conflictMarks(text), ...fenceAround(path, text)];
  if (marks.length > 0) return marks;
  if (path.endsWith('.json')) return jsonFaults(path, text);
  const language = languageOf(path);
  if (language === null || UNCHECKED.has(language) || isFlow(language, text)) return null;
  const read = WITHOUT_GRAMMAR[language];
  if (read !== undefined) return read(text);
  const faults = await grammarFaults(parser, { language, text });
  if (faults === null || faults.length === 0) return faults;
  return (await parsesOtherwise(parser, { language, text })) ? [] : faults;
}

/** JavaScript with types of another kind, which no parser here knows. */
function isFlow(language: Language, text: string): boolean {
  return language === 'javascript' && /@flow\b/.test(text.slice(0, 2_000));
}

/** Texts that may begin with a fence, also as templates: `prompt.md.j2`, `README`. */
const PROSE = /\.(?:md|mdx|mdc|markdown|[rRq]md|txt|rst|adoc)(?:\.\w+)?$|(?:^|\/)[A-Z]+$/;

/** The fence that models put around a whole file, as in an answer. */
function fenceAround(path: string, text: string): SyntaxFault[] {
  if (!/^\s*```/.test(text) || PROSE.test(path)) return [];
  const line = text.split('\n').findIndex((shown) => shown.trim() !== '') + 1;
  return [{ line, problem: 'a fence of Markdown' }];
}

/** What `git merge` leaves where it could not decide. */
function conflictMarks(text: string): SyntaxFault[] {
  const lines = text.split('\n');
  const open = lines.findIndex((line) => line.startsWith('<<<<<<< '));
  const close = lines.findIndex((line) => line.startsWith('>>>>>>> '));
  return open < 0 || close < open ? [] : [{ line: open + 1, problem: 'a conflict marker' }];
}

/** Files named .json that their programs read with comments and commas at the end. */
const WITH_COMMENTS =
  /(?:^|\/)(?:[tj]sconfig[^/]*|deno|biome|turbo|nx|api-extractor|devcontainer|\.eslintrc|\.swcrc|\.babelrc|renovate|wrangler)\.json$|(?:^|\/)\.(?:vscode|devcontainer)\//;

/** Files whose programs read them without. */
const WITHOUT_COMMENTS = /(?:^|\/)(?:package|package-lock|npm-shrinkwrap|composer)\.json$/;

/**
 * The faults of a text that is no JSON; empty for JSON, null where comments may stand in it. Hundreds of programs read
 * their files with comments: the author of a comment knows.
 */
function jsonFaults(path: string, text: string): SyntaxFault[] | null {
  if (WITH_COMMENTS.test(path) || text.trim() === '') return null;
  const bare = WITHOUT_COMMENTS.test(path) ? text : withoutComments(text);
  const faults = faultsOf(bare);
  return bare === text || faults.length > 0 ? faults : null;
}

/** The same lines without comments and, if there are any, without commas at an end; a text without comments as it is. */
function withoutComments(text: string): string {
  const without = text.replaceAll(
    /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (comment, string?: string) => (string === undefined ? comment.replaceAll(/[^\n]/g, ' ') : string),
  );
  if (without === text) return text;
  return without.replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_comma, string?: string) => string ?? ' ');
}

function faultsOf(text: string): SyntaxFault[] {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const line = /\(line (\d+) column/.exec(message)?.[1];
    const lines = text.trimEnd().split('\n').length;
    const [problem = ''] = message.split(/ in JSON| \(line |, "| at position/, 1);
    return [{ line: line === undefined ? lines : Number(line), problem }];
  }
}
