/** Tokens in double quotes, in an expansion outside of them, and in commands. Each matches at every place. */
const IN_QUOTES = /[^\\$`"}]+|\\[\s\S]?|\$\(\(|\$[({]|[\s\S]/y;
const IN_EXPANSION = /[^\\$`"'}]+|\\[\s\S]?|\$?'[^']*'?|\$\(\(|\$[({]|[\s\S]/y;
const IN_COMMANDS = new RegExp(
  [
    /\\[\s\S]?/, // an escaped character
    /(?<=^|[\s;&|()`])#[^\n]*/, // a comment
    /\$'(?:[^'\\]|\\[\s\S])*'?|'[^']*'?/,
    /\$\(\(|\$[({]|[<>]\(|\$?"/,
    /<<<|<<-?[ \t]*(?:\\.|'[^'\n]*'|"[^"\n]*"|[^\s;&|()<>"'\\`])+/, // of a here-document, with its end
    /;;&?|;&|&>>?|[<>]&|>\||[<>]+|&&/,
    /[ \t\r\f]+/,
    /[^\s;&|()<>"'`\\$]+/, // a word, or a part of one
    /[\s\S]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
);

/** The context of a token: in double quotes, in an expansion `${…}` outside of them, or among commands. */
export type ShellMode = 'quotes' | 'expansion' | 'commands';

const TOKENS: Readonly<Record<ShellMode, RegExp>> = {
  quotes: IN_QUOTES,
  expansion: IN_EXPANSION,
  commands: IN_COMMANDS,
};

/** The token at a place of a script; at the end ''. */
export function shellToken(text: string, at: number, mode: ShellMode): string {
  const tokens = TOKENS[mode];
  tokens.lastIndex = at;
  return tokens.exec(text)?.[0] ?? '';
}
