import type { SyntaxFault } from '@sluice/core/code-search';

/** An open construct: quotes, an expansion, brackets, or a block by the word that it has come to. */
type Block =
  | '"'
  | '`'
  | '${'
  | '$('
  | '$(('
  | '(('
  | '('
  /** Brackets of an array, a pattern or a function's name: no commands. */
  | 'words'
  | '{'
  | 'if'
  | 'then'
  | 'else'
  | 'for'
  | 'loop'
  | 'do'
  | 'case'
  | 'pattern'
  | 'branch';

/** Words that begin a block. */
const BEGINS: ReadonlyMap<string, Block> = new Map([
  ['if', 'if'],
  ['while', 'loop'],
  ['until', 'loop'],
  ['for', 'for'],
  ['select', 'for'],
  ['case', 'case'],
  ['{', '{'],
]);

/** Words that go on with a block or end it: from what to what. */
const GOES_ON: ReadonlyMap<string, { readonly from: readonly Block[]; readonly to: Block | null }> = new Map([
  ['then', { from: ['if'], to: 'then' }],
  ['elif', { from: ['then'], to: 'if' }],
  ['else', { from: ['then'], to: 'else' }],
  ['fi', { from: ['then', 'else'], to: null }],
  ['do', { from: ['loop', 'for'], to: 'do' }],
  ['done', { from: ['do'], to: null }],
  ['esac', { from: ['pattern', 'branch'], to: null }],
  ['}', { from: ['{'], to: null }],
]);

/** Words before a name. */
const NAMES = new Set(['for', 'select', 'function', 'coproc']);

interface Script {
  readonly text: string;
  /** The place after the token. */
  at: number;
  /** The open blocks, each with the token that began it and its place. */
  readonly open: { readonly block: Block; readonly token: string; readonly from: number }[];
  /** Here-documents that begin on the next line. */
  readonly documents: { readonly end: string; readonly isIndented: boolean }[];
  /** Whether the next word is a command, or one that begins or ends a block. */
  isCommand: boolean;
  /** Whether the next word is a name after which a block may begin. */
  isName: boolean;
}

/**
 * The first quote, bracket or block of a shell script that is not closed by its own end, or an end that closes nothing. It
 * stands in for the grammar, which fails on one in twelve scripts that run: `for x do`, empty assignments, patterns,
 * here-documents in a list. What commands stand in the blocks is not checked.
 */
export function shellFaults(text: string): SyntaxFault[] {
  const script: Script = { text, at: 0, open: [], documents: [], isCommand: true, isName: false };
  const lineOf = (at: number) => text.slice(0, at).split('\n').length;
  while (script.at < text.length) {
    const [inner, outer] = [blockOf(script), script.open.at(-2)?.block];
    const isQuoted = inner === '"' || (inner === '${' && outer === '"');
    const token = shellToken(text, script.at, isQuoted ? 'quotes' : inner === '${' ? 'expansion' : 'commands');
    const from = script.at;
    script.at += token.length;
    if (!take(script, token)) return [{ line: lineOf(from), problem: problemOf(token) }];
  }
  const left = script.open.at(-1);
  if (left !== undefined) return [{ line: lineOf(left.from), problem: `${quoted(left.token)} is not closed` }];
  return script.documents.length === 0 ? [] : [{ line: lineOf(text.length), problem: NO_END }];
}

const NO_END = 'the here-document has no end';

function problemOf(token: string): string {
  if (token === '\n') return NO_END;
  if (/^\$?'/.test(token)) return `${quoted("'")} is not closed`;
  return `${quoted(token)} ${token === ')' || GOES_ON.get(token)?.to === null ? 'closes nothing' : 'is not expected'}`;
}

function quoted(token: string): string {
  return `"${token}"`;
}

function blockOf(script: Script): Block | undefined {
  return script.open.at(-1)?.block;
}

function begin(script: Script, block: Block, token: string = block): true {
  script.open.push({ block, token, from: script.at - token.length });
  script.isCommand = !isWords(block) && block !== 'case' && block !== '"' && block !== '${';
  return true;
}

function end(script: Script, commandFollows: boolean): true {
  script.open.pop();
  script.isCommand = commandFollows;
  return true;
}

/** Goes on in the innermost block with another part of it. */
function goOn(script: Script, block: Block): true {
  const [last] = script.open.splice(-1);
  if (last !== undefined) script.open.push({ ...last, block });
  script.isCommand = block !== 'pattern';
  return true;
}

/** Brackets in which there are no commands. */
function isWords(block: Block | undefined): boolean {
  return block === 'words' || block === '((' || block === '$((';
}

/** Takes the next token; false where it does not fit. */
function take(script: Script, token: string): boolean {
  const block = blockOf(script);
  const isInText = block === '"' || block === '${';
  if (token === '${' || token === '$((' || token === '$(') return begin(script, token);
  if (token === '"' || token === '`') return block === token ? end(script, false) : begin(script, token);
  if (token === '}' && block === '${') return end(script, false);
  if (isInText || /^(?:\\\n|#|[ \t\r\f])/.test(token)) return true;
  if (token === '$"') return begin(script, '"');
  if (token === '<(' || token === '>(') return begin(script, '$(', token);
  if (token === '(' || token === ')') return takeBracket(script, token);
  if (token === '\n') return takeLineBreak(script);
  if (/^\$?'/.test(token)) {
    script.isCommand = false;
    return token.length > token.indexOf("'") + 1 && token.endsWith("'");
  }
  if (isWords(block)) return true;
  return /^[;&|<>]/.test(token) ? takeOperator(script, token) : takeWord(script, token);
}

function takeBracket(script: Script, bracket: string): boolean {
  const block = blockOf(script);
  const isDouble = script.text[script.at] === bracket;
  if (bracket === '(') {
    const isApart = /[\s;&|(`]/.test(script.text[script.at - 2] ?? '\n');
    if (block === 'pattern' && isApart) return true;
    if (isDouble && !isWords(block) && (script.isCommand || script.isName)) {
      script.at += 1;
      script.isName = false;
      return begin(script, '((');
    }
    const isCommand = script.isCommand && isApart && !isWords(block);
    return begin(script, isCommand ? '(' : 'words', bracket);
  }
  if (block === 'pattern') return goOn(script, 'branch');
  if (block === '(' || block === 'words') return end(script, true);
  if (block === '$(') return end(script, false);
  if (block !== '((' && block !== '$((') return false;
  // Two brackets may also begin two subshells, of which the inner one ends here.
  if (!isDouble) return goOn(script, block === '((' ? '(' : '$(');
  script.at += 1;
  return end(script, block === '((');
}

/** At the end of a line, its here-documents follow; false where one of them has no end. */
function takeLineBreak(script: Script): boolean {
  const { text } = script;
  if (!isWords(blockOf(script))) script.isCommand = true;
  return script.documents.splice(0).every(({ end, isIndented }) => {
    for (;;) {
      const next = text.indexOf('\n', script.at);
      const line = text.slice(script.at, next < 0 ? undefined : next).replace(/\r$/, '');
      script.at = next < 0 ? text.length : next + 1;
      if ((isIndented ? line.replace(/^\t+/, '') : line) === end) return true;
      if (next < 0) return false;
    }
  });
}

/** False for the end of a branch where there is none. */
function takeOperator(script: Script, token: string): boolean {
  const document = /^<<(-?)[ \t]*([^<][\s\S]*)$/.exec(token);
  if (document !== null) {
    const [, dash, word = ''] = document;
    script.documents.push({ end: word.replaceAll(/\\(.)|["']/g, '$1'), isIndented: dash === '-' });
  }
  if (/^;[;&]/.test(token)) return blockOf(script) === 'branch' && goOn(script, 'pattern');
  script.isCommand ||= /^(?:;|&&?|\|)$/.test(token);
  return true;
}

/** A word, or a part of one; false where it is the shell's own and does not fit. */
function takeWord(script: Script, token: string): boolean {
  const { text, at, isName } = script;
  const block = blockOf(script);
  const [before = '\n', after = '\n'] = [text[at - token.length - 1], text[at]];
  const isWhole = /[\s;&|()`]/.test(before) && /[\s;&|()<>`]/.test(after);
  if (block === 'case' && token === 'in') return goOn(script, 'pattern');
  if (block === 'pattern' && !(token === 'esac' && isWhole)) return true;
  if (isWhole && (script.isCommand || block === 'pattern')) {
    script.isName = NAMES.has(token);
    if (token === '{' && block === 'for') return goOn(script, '{');
    const begun = BEGINS.get(token);
    if (begun !== undefined) return begin(script, begun, token);
    const step = GOES_ON.get(token);
    if (step !== undefined) {
      if (block === undefined || !step.from.includes(block)) return false;
      return step.to === null ? end(script, true) : goOn(script, step.to);
    }
    if (script.isName || token === '!' || token === 'time') return true;
  }
  // After the head of a loop or a condition, a block may begin without a line break.
  script.isCommand = isName || token === ']]';
  script.isName = false;
  return true;
}

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
type ShellMode = 'quotes' | 'expansion' | 'commands';

const TOKENS: Readonly<Record<ShellMode, RegExp>> = {
  quotes: IN_QUOTES,
  expansion: IN_EXPANSION,
  commands: IN_COMMANDS,
};

/** The token at a place of a script; at the end ''. */
function shellToken(text: string, at: number, mode: ShellMode): string {
  const tokens = TOKENS[mode];
  tokens.lastIndex = at;
  return tokens.exec(text)?.[0] ?? '';
}
