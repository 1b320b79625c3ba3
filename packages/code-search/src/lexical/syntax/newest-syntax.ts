import type { Language } from './language.ts';

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
export function inOlderSyntax({ language, text }: { readonly language: Language; readonly text: string }): string {
  return (OLDER[language] ?? []).reduce((older, [newest, form]) => older.replaceAll(newest, form), text);
}
