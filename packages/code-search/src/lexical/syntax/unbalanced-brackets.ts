import type { SyntaxFault } from '@sluice/core';

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Comments, directives of free text, and strings with what C++ and C# allow of them; the rest is brackets and strays. */
const TOKENS =
  /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(\/\/[^\n]*)|^[ \t]*#[ \t]*(?:error|warning|region|endregion|pragma)\b[^\n]*|R"([^()\\\s]{0,16})\([\s\S]*?\)\2"|("{3,})[\s\S]*?\3|(?:@\$?|\$@)"(?:[^"]|"")*"|"(?:[^"\\\n]|\\[\s\S])*"?|(?<!\w)(?:u8|[uUL])?'(?:[^'\\\n]|\\[\s\S])*'?|[()[\]{}]|`|\\(?!\r?\n|u)/gm;

/** Brackets without a partner, and a comment without an end. @param style whether `//` begins a comment */
export function unbalancedBrackets(text: string, style: { readonly lineComments: boolean }): SyntaxFault[] {
  const open: { readonly bracket: string; readonly at: number }[] = [];
  const lineOf = (at: number) => text.slice(0, at).split('\n').length;
  TOKENS.lastIndex = 0;
  for (const { 0: token, 1: lineComment, index } of text.matchAll(TOKENS)) {
    if (lineComment !== undefined && !style.lineComments) continue;
    if (token.startsWith('/*') && !token.endsWith('*/')) {
      return [{ line: lineOf(index), problem: 'the comment has no end' }];
    }
    if (token.length > 1 || `"'`.includes(token)) continue;
    if ('`\\'.includes(token)) {
      // In CSS it may be part of a name.
      if (style.lineComments) return [{ line: lineOf(index), problem: `"${token}" is not expected` }];
      continue;
    }
    if (token in CLOSING) open.push({ bracket: token, at: index });
    else {
      const last = open.pop();
      if (last === undefined || CLOSING[last.bracket] !== token) {
        return [{ line: lineOf(index), problem: `"${token}" closes nothing that is open` }];
      }
    }
  }
  const left = open.at(-1);
  return left === undefined ? [] : [{ line: lineOf(left.at), problem: `"${left.bracket}" is not closed` }];
}
