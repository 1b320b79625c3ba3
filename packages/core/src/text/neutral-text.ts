import { shortened, visibleLine, visibleText } from './visible-text.ts';

/*
 * Text of people and models goes into pages of the code host that act on what they say: `@name` tells somebody, `#1`
 * leaves a trace on another issue, "closes #1" closes it, HTML and links show what is not ours. None of that may come
 * from such text. The code host looks for names and numbers after it has read the Markdown, so escaping alone does not
 * help: a space of no width, written as an entity, stands between the sign and what follows.
 */

const APART = '&#8203;';

/** One line of prose: whatever stands in it reads as it is written and does nothing. */
export function neutralProse(text: string, limit: number): string {
  return seenLine(text, limit)
    .replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
    .replaceAll(/\\[@#]/g, `$&${APART}`)
    .replaceAll(/(GH)\\-(?=\d)/gi, `$1\\-${APART}`)
    .replaceAll('\\:\\/\\/', `\\:${APART}\\/\\/`)
    .replaceAll(/(www)\\\./gi, `$1${APART}\\.`);
}

/** Several lines of prose, each a line of a quotation, so that nothing of it reads as ours. Empty for empty text. */
export function neutralQuote(text: string, limit: number): string[] {
  const lines = shortened(visibleText(shortened(text, limit)).trim(), limit)
    .split('\n')
    .map((line) => neutralProse(line, limit));
  const quoted = lines.map((line) => (line === '' ? '>' : `> ${line}`));
  return quoted.filter((line, at) => line !== '>' || (at > 0 && quoted[at - 1] !== '>'));
}

/** A name (of a file, a command, a test) as code: the code host looks for nothing in it. */
export function neutralCode(text: string, limit: number): string {
  const line = seenLine(text, limit).replaceAll('<!--', '<! --'); // whoever looks for our marker may not know code
  if (line === '') return '` `';
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return fence.length === 1 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** Cut first as well: nobody's text is looked through for longer than it is shown. */
function seenLine(text: string, limit: number): string {
  return shortened(visibleLine(shortened(text, limit)), limit);
}

/**
 * One line that is read as plain text: a title, or part of a commit's message. Escapes would be seen in it, so a space
 * keeps the sign from what follows, where that would be taken for a name or a number.
 */
export function neutralPlain(text: string): string {
  return text
    .replaceAll(/(^|[^\p{L}\p{N}_])@(?=[\p{L}\p{N}_])/gu, '$1@ ')
    .replaceAll(/#(?=\d)/g, '# ')
    .replaceAll(/GH-(?=\d)/gi, '$& ')
    .replaceAll(/:\/\/(?=\S+\/(?:issues|pull|merge_requests)\/\d)/gi, ': //');
}
