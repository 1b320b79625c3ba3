import type { SyntaxFault } from '@sluice/core/code-search';
import { CLOSING, unbalancedInBranches } from './branch-brackets.ts';

interface Token {
  readonly token: string;
  readonly at: number;
}

/** Comments, directives of free text, and strings with what C++ and C# allow of them; the rest is brackets and strays. */
const TOKENS =
  /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(\/\/[^\n]*)|^[ \t]*#[ \t]*(?:error|warning|region|endregion|pragma)\b[^\n]*|^[ \t]*#[ \t]*(?:if|ifn?def|elif|elifn?def|else|endif)\b(?:[ \t]+0\b)?|R"([^()\\\s]{0,16})\([\s\S]*?\)\2"|("{3,})[\s\S]*?\3|(?:@\$?|\$@)"(?:[^"]|"")*"|"(?:[^"\\\n]|\\[\s\S])*"?|(?<!\w)(?:u8|[uUL])?'(?:[^'\\\n]|\\[\s\S])*'?|[()[\]{}]|`|\\(?!\r?\n|u)/gm;

/** Brackets without a partner, and a comment without an end. @param style whether `//` begins a comment */
export function unbalancedBrackets(text: string, style: { readonly lineComments: boolean }): SyntaxFault[] {
  const open: Token[] = [];
  const read: Token[] = [];
  const faultAt = (at: number, problem: string) => ({ line: text.slice(0, at).split('\n').length, problem });
  let closing: Token | undefined;
  TOKENS.lastIndex = 0;
  for (const { 0: token, 1: lineComment, index: at } of text.matchAll(TOKENS)) {
    if (lineComment !== undefined && !style.lineComments) continue;
    if (token.startsWith('/*') && !token.endsWith('*/')) return [faultAt(at, 'the comment has no end')];
    if (/^[ \t]*#/.test(token) && style.lineComments) read.push({ token: token.trim(), at });
    if (token.length > 1 || `"'`.includes(token)) continue;
    if ('`\\'.includes(token)) {
      // In CSS it may be part of a name.
      if (style.lineComments) return [faultAt(at, `"${token}" is not expected`)];
      continue;
    }
    read.push({ token, at });
    if (token in CLOSING) open.push({ token, at });
    else if (CLOSING[open.pop()?.token ?? ''] !== token) closing ??= { token, at };
  }
  const branched = read.some(({ token }) => token.startsWith('#'))
    ? unbalancedInBranches(read.map(({ token }) => token))
    : undefined;
  if (branched === null) return [];
  const surplus = branched === undefined ? closing : read[branched];
  if (surplus !== undefined) return [faultAt(surplus.at, `"${surplus.token}" closes nothing that is open`)];
  const left = open.at(-1) ?? (branched === undefined ? undefined : read.findLast(({ token }) => token in CLOSING));
  return left === undefined ? [] : [faultAt(left.at, `"${left.token}" is not closed`)];
}
