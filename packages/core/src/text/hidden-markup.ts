import MarkdownIt, { type Token } from 'markdown-it';

/** A piece of Markdown that a rendered page hides or folds. */
export interface HiddenMarkup {
  /** Its line, from 1. */
  readonly line: number;
  /** Its text, without comment delimiters. */
  readonly content: string;
}

const MAX_ALT_LENGTH = 80; // characters; descriptions of screenshots are shorter

/** Tables are disabled: they hide nothing, and wide ones are the most expensive input. Their rows parse as text. */
const createParser = () => new MarkdownIt({ html: true }).disable('table');
let made: ReturnType<typeof createParser> | null = null;

/** Made at first use: most processes read no Markdown. */
function parser(): ReturnType<typeof createParser> {
  made ??= createParser();
  return made;
}

/** Elements that a page shows as text, pictures or tables. */
const shown = [
  ...['a', 'abbr', 'b', 'blockquote', 'br', 'center', 'cite', 'code', 'dd', 'del', 'div', 'dl', 'dt', 'em', 'h[1-6]'],
  ...['hr', 'i', 'img', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'picture', 'pre', 'q', 's', 'samp', 'small', 'source'],
  ...['span', 'strike', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'tt'],
  ...['u', 'ul', 'var', 'wbr'],
].join('|');
/** Attributes without text, and short alternative texts. A long alternative text is hidden text. */
const attribute = [
  '(?:align|colspan|height|href|rowspan|src|valign|width)="[^"<>\\s]{0,2000}"',
  'alt="[^"\\n<>`]{0,80}"',
].join('|');
const plainTag = new RegExp(`</[a-z][a-z0-9-]{0,40}>|<(?:${shown})(?:\\s{1,20}(?:${attribute}))*\\s{0,20}/?>`, 'gi');

/**
 * Finds the parts of a Markdown text that its page does not show, in order: HTML other than plain formatting, link
 * definitions that are unused or have a title, titles of links and images, long alternative texts, footnotes without a
 * reference, words after the language of a code block, and anything nested too deeply to parse.
 *
 * markdown-it defends against input with quadratic cost: the worst 64 KiB that we found take 0.1 s of processor time,
 * against 44 s with micromark and 5 s with commonmark.js.
 */
export function hiddenMarkup(text: string): HiddenMarkup[] {
  const tokens = parser().parse(text, {});
  const footnotes = new Set(Array.from(text.matchAll(/\[\^([^\]\s]{1,200})\](?!:)/g), ([, label]) => label ?? ''));
  let line = 1;
  const found = tokens.flatMap((token) => {
    if (token.map !== null) line = token.map[0] + 1;
    return [...inBlock(token), ...inInline(token), ...unusedFootnotes(token, footnotes)].map((one) => ({
      ...one,
      line: line + one.line,
    }));
  });
  return [...found, ...unshownLines(text, tokens)].sort((a, b) => a.line - b.line);
}

/** Like the next two, counts lines from the first line of the token, from 0. */
function inBlock({ type, content, info }: Token): HiddenMarkup[] {
  if (type === 'html_block') return isPlainHtml(content) ? [] : [{ line: 0, content: withoutMarks(content) }];
  if (type !== 'fence') return [];
  // `file="a path"` names the file of the block and is shown in the plan.
  const [, ...words] = info.replace(/\bfile=(?:"[^"]*"|'[^']*'|\S*)/, '').match(/\S+/g) ?? [];
  return words.length < 2 ? [] : [{ line: 0, content: info }];
}

function inInline({ children }: Token): HiddenMarkup[] {
  const found: HiddenMarkup[] = [];
  let line = 0;
  let shrunk = 0;
  for (const { type, content, attrs } of children ?? []) {
    const add = (hidden: string) => found.push({ line, content: hidden });
    const title = String(attrs?.find(([name]) => name === 'title')?.[1] ?? '');
    if (title.trim() !== '') add(title);
    if (type === 'image' && (content.length > MAX_ALT_LENGTH || /[\n`]/.test(content))) add(content);
    if (type === 'html_inline') {
      const by = shrinking(content);
      shrunk = Math.max(0, shrunk + by);
      if (!isPlainHtml(content) || (by > 0 && shrunk > 1)) add(withoutMarks(content));
    }
    line += type === 'softbreak' || type === 'hardbreak' ? 1 : linesIn(content);
  }
  return found;
}

/** Footnotes, an extension of the code hosts that the parser treats as text. A page shows only those with a reference. */
function unusedFootnotes({ type, content }: Token, used: ReadonlySet<string>): HiddenMarkup[] {
  if (type !== 'inline' || !content.includes('[^')) return [];
  return content.split('\n').flatMap((text, line) => {
    const [, label = '', note = ''] = /^\[\^([^\]\s]{1,200})\]:(.*)$/.exec(text) ?? [];
    return label === '' || used.has(label) ? [] : [{ line, content: note.trim() }];
  });
}

/**
 * The lines that no token covers: link definitions, which a page does not show, and content nested over a hundred deep,
 * which the parser drops.
 */
function unshownLines(text: string, tokens: readonly Token[]): HiddenMarkup[] {
  const lines = text.split(/\r\n?|\n/);
  const shown = new Uint8Array(lines.length);
  for (const { type, map } of tokens) {
    if (map !== null && !/^(?:blockquote|(?:bullet|ordered)_list|list_item)_open$/.test(type)) shown.fill(1, ...map);
  }
  const targets = new Set(tokens.flatMap(({ children }) => (children ?? []).flatMap(targetOf)));
  const found: { line: number; content: string }[] = [];
  for (const [index, line] of lines.entries()) {
    if (shown[index] === 1 || /^(?:[\s>*+-]|\d{1,9}[.)])*$/.test(line) || isUsed(line, targets)) continue;
    const last = found.at(-1);
    if (last !== undefined && shown[index - 1] === 0 && !/^[\s>]*\[/.test(line)) last.content += `\n${line}`;
    else found.push({ line: index + 1, content: line });
  }
  return found;
}

function targetOf({ attrs }: Token): string[] {
  return (attrs ?? []).flatMap(([name, value]) => (name === 'href' || name === 'src' ? [String(value)] : []));
}

/** Whether a line only defines the target of a visible link. */
function isUsed(line: string, targets: ReadonlySet<string>): boolean {
  const target = /^[\s>]*\[[^\]]{1,200}\]:\s{0,20}<?(\S{1,2000}?)>?\s{0,20}$/.exec(line)?.[1];
  return target !== undefined && targets.has(parser().normalizeLink(target));
}

function linesIn(content: string): number {
  return content.split('\n').length - 1;
}

function withoutMarks(html: string): string {
  return html
    .trim()
    .replace(/^<(?:!--|!\[CDATA\[|!|\?)/, '')
    .replace(/(?:--|\]\]|\?)>$/, '');
}

/** Whether HTML consists of visible elements and text only. */
function isPlainHtml(html: string): boolean {
  return !html.replaceAll(plainTag, '').includes('<');
}

/** How a tag changes the nesting of small print: 1 for `<sub>`, `<sup>` and `<small>`, -1 for their ends, otherwise 0. */
function shrinking(tag: string): number {
  const end = /^<(\/?)(?:sub|sup|small)[\s>]/i.exec(tag)?.[1];
  return end === undefined ? 0 : end === '' ? 1 : -1;
}
