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

/** Whether HTML consists of visible elements and text only. */
export function isPlainHtml(html: string): boolean {
  return !html.replaceAll(plainTag, '').includes('<');
}

/** How a tag changes the nesting of small print: 1 for `<sub>`, `<sup>` and `<small>`, -1 for their ends, otherwise 0. */
export function shrinking(tag: string): number {
  const end = /^<(\/?)(?:sub|sup|small)[\s>]/i.exec(tag)?.[1];
  return end === undefined ? 0 : end === '' ? 1 : -1;
}
