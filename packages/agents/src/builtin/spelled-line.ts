import { readCodeSpan, writeCodeSpan } from './code-span.ts';

/** Words that say nothing of the edit. Any other word makes a line prose, which is never carried out. */
const FILLERS = new Set([
  'the',
  'file',
  'text',
  'string',
  'please',
  'just',
  'simply',
  'this',
  'of',
  'occurrence',
  'occurrences',
]);
const PLAIN_FILES = /^(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG|Gemfile|Rakefile|Procfile|CODEOWNERS)$/;

type Token = { readonly kind: 'span' | 'word'; readonly text: string };

/**
 * The exact form of a line that says the same in other words: ``Replace `a` with `b` in `src/x.js` ``, ``Delete `src/x.js` ``.
 * Null when it could mean anything else.
 */
export function spelledLine(line: string): string | null {
  const tokens = tokensIn(line);
  if (tokens === null) return null;
  const spans = tokens.flatMap(({ kind, text }) => (kind === 'span' ? [text] : []));
  const shape = tokens.map(({ kind, text }) => (kind === 'span' ? 'S' : text)).join(' ');
  const [first = '', second = '', third = ''] = spans;
  if (/^(?:delete|remove) S$/.test(shape)) return isPathLike(first) ? deletion(first) : null;
  if (/^(?:rename|move) S to S$/.test(shape)) {
    return isPathLike(first) && isPathLike(second) ? renaming(first, second) : null;
  }
  const inFront = /^in S (?:replace|change)( all| every| each)? S (?:with|by|to|into) S( everywhere)?$/.exec(shape);
  if (inFront !== null) {
    return replacing({ path: first, from: second, to: third, all: (inFront[1] ?? inFront[2]) !== undefined });
  }
  const behind = /^(?:replace|change)( all| every| each)? S (?:with|by|to|into) S (everywhere )?in S$/.exec(shape);
  if (behind === null) return null;
  return replacing({ path: third, from: first, to: second, all: (behind[1] ?? behind[2]) !== undefined });
}

/** The path that a line names in front of a block: ``Create `src/x.js` with:``, `**src/x.js**`; null for other lines. */
export function labelledFile(line: string): string | null {
  const bare = line
    .replace(/^\*\*(.+?):?\*\*:?$/, '$1')
    .replace(/^#{1,6}\s+/, '')
    .replace(/:$/, '')
    .trim();
  const span = readCodeSpan(bare);
  if (span !== null && span.rest.trim() === '' && isPathLike(span.content)) return span.content;
  if (!bare.includes(' ') && isPathLike(bare) && bare !== line) return bare;
  const shape = tokensIn(line);
  const spans = shape?.filter(({ kind }) => kind === 'span') ?? [];
  const words = shape?.flatMap(({ kind, text }) => (kind === 'word' ? [text] : [])).join(' ') ?? '';
  const [only] = spans;
  const isCreation = /^(?:create|add|write)(?: a)?(?: new)?(?: with)?(?: content| contents)?$/.test(words);
  return isCreation && spans.length === 1 && only !== undefined && isPathLike(only.text) ? only.text : null;
}

/** The exact first line of a replacement whose texts stand in two blocks; null when the line is no such thing. */
export function spelledBlockReplacement(line: string): string | null {
  const tokens = tokensIn(line);
  const [path] = tokens?.flatMap(({ kind, text }) => (kind === 'span' ? [text] : [])) ?? [];
  const shape = tokens?.map(({ kind, text }) => (kind === 'span' ? 'S' : text)).join(' ') ?? '';
  const found = /^(?:in S (?:replace|change)( all)?|(?:replace|change)( all)? in S)$/.exec(shape);
  if (found === null || path === undefined) return null;
  return `in ${writeCodeSpan(path)} replace${(found[1] ?? found[2]) === undefined ? '' : ' all'}`;
}

/** Whether a text can only be meant as the path of a file. */
export function isPathLike(text: string): boolean {
  if (!/^[\w@.+-]+(?:\/[\w@.+-]+)*$/.test(text)) return false;
  return text.includes('/') || /\.\w+$/.test(text) || PLAIN_FILES.test(text);
}

function replacing({ path, from, to, all }: { path: string; from: string; to: string; all: boolean }): string {
  return `in ${writeCodeSpan(path)} replace${all ? ' all' : ''} ${writeCodeSpan(from)} with ${writeCodeSpan(to)}`;
}

function deletion(path: string): string {
  return `\`\`\`diff\ndiff --git a/${path} b/${path}\ndeleted file mode 100644\n\`\`\``;
}

function renaming(from: string, to: string): string {
  return `\`\`\`diff\ndiff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n\`\`\``;
}

/** Code spans, quoted texts and paths as spans, everything else as words in lower case; null when a quote does not end. */
export function tokensIn(line: string): Token[] | null {
  let rest = line.replace(/^(?:[-*+]|\d{1,9}[.)])\s+/, '').replace(/^\[[ xX]\]\s+/, '');
  const tokens: Token[] = [];
  for (rest = rest.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const span = readCodeSpan(rest);
    const quote = /^(?:"([^"]*)"|“([^“”]*)”|'([^']*)')(?=[\s,.;:!]|$)/.exec(rest);
    const word = /^[^\s`"“]+/.exec(rest)?.[0];
    if (span !== null) {
      tokens.push({ kind: 'span', text: span.content });
      rest = span.rest;
    } else if (quote !== null) {
      tokens.push({ kind: 'span', text: quote[1] ?? quote[2] ?? quote[3] ?? '' });
      rest = rest.slice(quote[0].length);
    } else if (word === undefined) return null;
    else {
      const bare = word.replace(/[.,;:!]+$/, '');
      if (isPathLike(bare) && /[/.]/.test(bare)) tokens.push({ kind: 'span', text: bare });
      else if (bare !== '' && !FILLERS.has(bare.toLowerCase())) tokens.push({ kind: 'word', text: bare.toLowerCase() });
      rest = rest.slice(word.length);
    }
  }
  return tokens;
}
