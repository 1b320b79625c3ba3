import { stripTypeScriptTypes } from 'node:module';
import type { SyntaxFault } from '@sluice/core';
import type { Node } from 'web-tree-sitter';
import { jsonFaults } from './json-faults.ts';
import { type Language, languageOf, MAX_FILE_BYTES } from './language.ts';
import { missingParts } from './missing-parts.ts';
import { pythonIndentation } from './python-indentation.ts';
import { surplusEnds } from './surplus-ends.ts';
import type { SyntaxParser } from './syntax-parser.ts';
import { unbalancedBrackets } from './unbalanced-brackets.ts';

const MAX_FAULTS = 10; // the first ones; the others usually follow from them
const MAX_SHOWN = 40; // characters of what was not expected

/** Where the tree has an error, but no node of it says where. */
const DOES_NOT_PARSE: SyntaxFault = { line: 1, problem: 'it does not parse' };

/**
 * Languages whose grammar does not know what people write: macros of C and C++, nesting and ranges of CSS. Of their files
 * only the brackets are checked.
 */
const BRACKETS_ONLY: ReadonlySet<Language> = new Set<Language>(['cpp', 'css']);
/** Its grammar refuses too much of what runs. */
const UNCHECKED: ReadonlySet<Language> = new Set<Language>(['powershell']);

/**
 * Where a text does not parse, by lines; empty for one that does. Null where that is not known: no grammar for its
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
  if (BRACKETS_ONLY.has(language)) return unbalancedBrackets(text, { lineComments: language === 'cpp' });
  const faults = await parser.read({ language, text }, (root) => {
    const faults = root.hasError ? treeFaults(root) : [];
    if (language === 'python' && faults.length === 0) faults.push(...pythonIndentation(root, text));
    if (faults.length === 0) faults.push(...missingParts(root, language), ...surplusEnds(root, { language, text }));
    return faults.length === 0 && root.hasError ? [DOES_NOT_PARSE] : faults.slice(0, MAX_FAULTS);
  });
  if (faults === null || faults.length === 0) return faults;
  return (await parsesOtherwise(parser, { language, text })) ? [] : faults;
}

/**
 * Whether another parser takes what the grammar does not: one in a hundred files of TypeScript with difficult types, some
 * JSX, and one in eight files of C#, with directives inside of expressions or the newest syntax. A text is broken only where
 * they agree; of C# the other parser knows the brackets.
 */
async function parsesOtherwise(
  parser: SyntaxParser,
  { language, text }: { language: Language; text: string },
): Promise<boolean> {
  if (language === 'c-sharp') return unbalancedBrackets(text, { lineComments: true }).length === 0;
  if (language === 'typescript') return isStripped(text) !== null;
  if (language !== 'javascript') return false;
  // The others read TypeScript too: in JavaScript, types are a slip.
  if (isStripped(text) === false) return true;
  const isPlain = (root: Node) =>
    !root.hasError && missingParts(root, 'tsx').length === 0 && root.descendantsOfType(TYPES).length === 0;
  return (await parser.read({ language: 'tsx', text }, isPlain)) ?? true;
}

/** What TSX has and JSX has not. */
const TYPES =
  'type type_annotation type_arguments type_parameters type_alias_declaration interface_declaration enum_declaration as_expression satisfies_expression non_null_expression accessibility_modifier override_modifier optional_parameter implements_clause ambient_declaration abstract_class_declaration internal_module import_alias import_require_clause function_signature readonly'.split(
    ' ',
  );

/** Whether Node strips anything from a text before it runs it; null where it cannot read it. */
function isStripped(text: string): boolean | null {
  try {
    return stripTypeScriptTypes(text) !== text;
  } catch (error) {
    // Any other error means that it was read, and holds something that cannot be stripped, e.g. an enum.
    const isBroken = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_TYPESCRIPT_SYNTAX';
    return isBroken ? null : true;
  }
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
