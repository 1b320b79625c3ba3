import { stripTypeScriptTypes } from 'node:module';
import type { Node } from 'web-tree-sitter';
import { grammarFaults } from './grammar-faults.ts';
import type { Language } from './language.ts';
import { missingParts } from './missing-parts.ts';
import type { SyntaxParser } from './syntax-parser.ts';
import { unbalancedBrackets } from './unbalanced-brackets.ts';

/**
 * Whether a text parses otherwise than by the grammar alone: with older forms of what the grammar does not know, or by
 * another parser. That is so of one in a hundred files of TypeScript with difficult types, some JSX, and one in eight files
 * of C#, with directives inside of expressions or the newest syntax. A text is broken only where all agree; of C# the other
 * parser knows the brackets.
 */
export async function parsesOtherwise(
  parser: SyntaxParser,
  { language, text }: { readonly language: Language; readonly text: string },
): Promise<boolean> {
  if (language === 'c-sharp') return unbalancedBrackets(text, { lineComments: true }).length === 0;
  if (language === 'typescript') return isStripped(text) !== null;
  const older = inOlderSyntax({ language, text });
  if (language === 'javascript') {
    // The others read TypeScript too: in JavaScript, types are a slip.
    if (isStripped(text) === false) return true;
    const isPlain = (root: Node) =>
      !root.hasError && missingParts(root, 'tsx').length === 0 && root.descendantsOfType(TYPES).length === 0;
    return (await parser.read({ language: 'tsx', text: older }, isPlain)) ?? true;
  }
  return older !== text && (await grammarFaults(parser, { language, text: older }))?.length === 0;
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

const AMPERSAND = [/(?<!&)&(?![&=]|#?\w+;)/g, '|'] as const;

/**
 * Syntax that is newer than the grammars or unknown to them, and an older form that stands at the same places. A text
 * that parses with the older forms is not broken.
 */
const OLDER: Partial<Record<Language, readonly (readonly [newest: RegExp, older: string])[]>> = {
  // An ampersand in the text of an element, or in an address.
  tsx: [AMPERSAND],
  javascript: [AMPERSAND],
  // Defaults of type parameters: `class A[T = int]`.
  python: [[/(?<=^[ \t]*(?:class|type|(?:async[ \t]+)?def)[ \t]+\w+)\[[^\n]*?\](?=[ \t]*[(:=])/gm, '[T]']],
  go: [
    // The last of several declarations on one line: `const (A = 1; B = 2)`.
    [/(?=[ \t]*\)[ \t]*(?:;|$))(?<=\b(?:const|var)[ \t]*\([^\n]*[^;(\s])/gm, ';'],
    // `new` of a value.
    [/\bnew(?=\([ \t]*(?:["'`\d&!+-]|[\w.]+\())/g, 'renew'],
  ],
  rust: [[/\b(?:safe|unsafe)[ \t]+(?=(?:fn|static)\b)/g, '']],
  java: [
    [/(?<=^[ \t]*import)[ \t]+module(?=\s)/gm, ''],
    // After other statements of a constructor.
    [/(?<![.\w])(?:super|this)(?=\s*\()/g, 'construct'],
  ],
  php: [[/\bclone(?=\()/g, 'cloned']],
};

/** A text with older forms for what the grammar of its language does not know. */
function inOlderSyntax({ language, text }: { readonly language: Language; readonly text: string }): string {
  return (OLDER[language] ?? []).reduce((older, [newest, form]) => older.replaceAll(newest, form), text);
}
