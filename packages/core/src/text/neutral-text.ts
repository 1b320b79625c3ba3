import { shortened, visibleLine, visibleText } from './visible-text.ts';

/*
 * Text by people and models goes into pages of the code host that act on it: `@name` notifies a user, `#1` links another
 * issue, "closes #1" closes it, HTML and links show foreign content. Text by others must have none of these effects. The
 * code host searches for names and numbers after it has parsed the Markdown, so escaping alone does not help: a
 * zero-width space, written as an entity, separates the sign from the name.
 */

const APART = '&#8203;';

/** One line of prose, shown literally and without any effect. */
export function neutralProse(text: string, limit: number): string {
  return seenLine(text, limit)
    .replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
    .replaceAll(/\\[@#]/g, `$&${APART}`)
    .replaceAll(/(GH)\\-(?=\d)/gi, `$1\\-${APART}`)
    .replaceAll('\\:\\/\\/', `\\:${APART}\\/\\/`)
    .replaceAll(/(www)\\\./gi, `$1${APART}\\.`);
}

/** Lines of prose as a quotation, so that they cannot pass for ours. Empty for empty text. */
export function neutralQuote(text: string, limit: number): string[] {
  const lines = shortened(visibleText(shortened(text, limit)).trim(), limit)
    .split('\n')
    .map((line) => neutralProse(line, limit));
  const quoted = lines.map((line) => (line === '' ? '>' : `> ${line}`));
  return quoted.filter((line, at) => line !== '>' || (at > 0 && quoted[at - 1] !== '>'));
}

/** A name (of a file, a command, a test) as a code span, in which the code host links nothing. */
export function neutralCode(text: string, limit: number): string {
  const line = seenLine(text, limit).replaceAll('<!--', '<! --'); // a search for our marker may ignore code spans
  if (line === '') return '` `';
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return fence.length === 1 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** Cuts before and after, so that the cost depends on `limit` and not on the text. */
function seenLine(text: string, limit: number): string {
  return shortened(visibleLine(shortened(text, limit)), limit);
}

/**
 * One line of plain text: a title, or part of a commit message. Escapes would be visible there, so a space separates a
 * sign from a name or a number that follows it.
 */
export function neutralPlain(text: string): string {
  return text
    .replaceAll(/(^|[^\p{L}\p{N}_])@(?=[\p{L}\p{N}_])/gu, '$1@ ')
    .replaceAll(/#(?=\d)/g, '# ')
    .replaceAll(/GH-(?=\d)/gi, '$& ')
    .replaceAll(/:\/\/(?=\S+\/(?:issues|pull|merge_requests)\/\d)/gi, ': //');
}
