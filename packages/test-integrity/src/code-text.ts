/** How a language writes comments and texts, as far as tests are told apart by it. */
export interface Lexis {
  readonly lineComment: RegExp | null;
  readonly blockComment: readonly [string, string] | null;
  /** Longest first: where one begins, and where it ends. */
  readonly texts: readonly Text[];
  /** `/x/` is a regular expression where a value is expected. */
  readonly hasRegex?: boolean;
}

interface Text {
  readonly open: RegExp;
  /** Null: the text that opened it, as `"` or `"""`. */
  readonly close: string | ((opened: string) => string) | null;
  readonly hasEscapes: boolean;
  readonly hasLines: boolean;
}

const quoted = (sign: string): Text => ({
  open: new RegExp(sign, 'y'),
  close: null,
  hasEscapes: true,
  hasLines: false,
});
const slashes = { lineComment: /\/\//y, blockComment: ['/*', '*/'] } as const;
const tripled: Text = { open: /"""/y, close: null, hasEscapes: true, hasLines: true };
const backticks: Text = { open: /`/y, close: null, hasEscapes: false, hasLines: true };

export const lexes = {
  javascript: { ...slashes, texts: [quoted("'"), quoted('"'), { ...backticks, hasEscapes: true }], hasRegex: true },
  python: {
    lineComment: /#/y,
    blockComment: null,
    texts: [tripled, { ...tripled, open: /'''/y }, quoted('"'), quoted("'")],
  },
  go: { ...slashes, texts: [backticks, quoted('"'), quoted("'")] },
  rust: {
    ...slashes,
    texts: [
      // A raw text ends where as many signs follow the quote as began it.
      {
        open: /\b(?:b|c)?r#*"/y,
        close: (opened) => `"${opened.replace(/[^#]/g, '')}`,
        hasEscapes: false,
        hasLines: true,
      },
      { open: /"/y, close: null, hasEscapes: true, hasLines: true },
      // A lifetime has one quote only.
      { open: /'(?=(?:[^'\\\n]|\\[^\n]{1,8})')/y, close: "'", hasEscapes: true, hasLines: false },
    ],
  },
  jvm: { ...slashes, texts: [tripled, quoted('"'), quoted("'")] },
  ruby: { lineComment: /#(?!\{)/y, blockComment: null, texts: [quoted('"'), quoted("'")] },
} as const satisfies Record<string, Lexis>;

const byName: readonly (readonly [RegExp, Lexis])[] = [
  [/\.[cm]?[jt]sx?$/, lexes.javascript],
  [/\.py$/, lexes.python],
  [/\.go$/, lexes.go],
  [/\.rs$/, lexes.rust],
  [/\.(?:java|kt)$/, lexes.jvm],
  [/\.rb$/, lexes.ruby],
];

/** How a file is written, by its name; null for a language that is not read. */
export function lexisOf(path: string): Lexis | null {
  return byName.find(([name]) => name.test(path))?.[1] ?? null;
}

/** A source of which the comments and the content of texts can be looked past. All three have the same length. */
export interface CodeText {
  readonly source: string;
  /** Comments are blank. */
  readonly code: string;
  /** The content of texts is blank too. */
  readonly bare: string;
  /** The index of each bracket's partner. */
  readonly partner: ReadonlyMap<number, number>;
  lineAt(index: number): number;
}

/** Where a comment or a text can begin, in any language. */
const SIGN = /["'`/#]|\b[bc]?r#*"/g;

/** Reads a source in one pass, in time linear in its length. Never fails: a malformed source gives fewer tests. */
export function readCode(source: string, lexis: Lexis): CodeText {
  const comments: [number, number][] = [];
  const texts: [number, number][] = [];
  const sign = new RegExp(SIGN);
  for (let found = sign.exec(source); found !== null; found = sign.exec(source)) {
    const { index } = found;
    const comment = endOfComment(source, index, lexis);
    if (comment !== null) comments.push([index, comment]);
    const text = comment === null ? endOfText(source, index, lexis) : null;
    if (text !== null) texts.push([text.from, text.to]);
    sign.lastIndex = comment ?? text?.after ?? index + 1;
  }
  const code = blanked(source, comments);
  const bare = blanked(code, texts);
  return { source, code, bare, partner: partners(bare), lineAt: lineCounter(source) };
}

function endOfComment(source: string, index: number, { lineComment, blockComment }: Lexis): number | null {
  if (blockComment !== null && source.startsWith(blockComment[0], index)) {
    const end = source.indexOf(blockComment[1], index + 2);
    return end === -1 ? source.length : end + 2;
  }
  if (lineComment === null || !opens(lineComment, source, index)) return null;
  const end = source.indexOf('\n', index);
  return end === -1 ? source.length : end;
}

function endOfText(
  source: string,
  index: number,
  { texts, hasRegex = false }: Lexis,
): { from: number; to: number; after: number } | null {
  for (const { open, close, hasEscapes, hasLines } of texts) {
    const opened = opens(open, source, index);
    if (opened === null) continue;
    const end = close === null ? opened : typeof close === 'string' ? close : close(opened);
    const from = index + opened.length;
    let at = from;
    for (; at < source.length; at += 1) {
      if (hasEscapes && source[at] === '\\') at += 1;
      else if (source.startsWith(end, at)) return { from, to: at, after: at + end.length };
      else if (!hasLines && source[at] === '\n') return { from, to: at, after: at };
    }
    return { from, to: source.length, after: source.length };
  }
  if (!hasRegex || source[index] !== '/') return null;
  return VALUE_EXPECTED.test(source.slice(Math.max(0, index - 20), index)) ? endOfRegex(source, index) : null;
}

const VALUE_EXPECTED = /(?:^|[(,=:[!&|?{};+\-*%<>~^\n]|\b(?:return|typeof|case|in|of|do|else|await|yield))\s*$/;

function endOfRegex(source: string, index: number): { from: number; to: number; after: number } | null {
  let isInClass = false;
  for (let at = index + 1; at < source.length && source[at] !== '\n'; at += 1) {
    const sign = source[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') isInClass = true;
    else if (sign === ']') isInClass = false;
    else if (sign === '/' && !isInClass) return { from: index + 1, to: at, after: at + 1 };
  }
  return null;
}

function opens(pattern: RegExp, source: string, index: number): string | null {
  pattern.lastIndex = index;
  return pattern.exec(source)?.[0] ?? null;
}

function blanked(text: string, ranges: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(at, from), text.slice(from, to).replaceAll(/[^\n]/g, ' '));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

const MAX_UNCLOSED = 20;

function partners(bare: string): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const { index, 0: sign } of bare.matchAll(/[()[\]{}]/g)) {
    if (CLOSING[sign] !== undefined) {
      open.push(index);
      continue;
    }
    // A bracket too many is passed over, and so is one too few, but not far back: that would take long.
    const from = open.slice(-MAX_UNCLOSED).findLast((at) => CLOSING[bare[at] ?? ''] === sign);
    if (from === undefined) continue;
    while (open.pop() !== from);
    found.set(from, index);
    found.set(index, from);
  }
  return found;
}

function lineCounter(source: string): (index: number) => number {
  const starts = [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
  return (index) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
