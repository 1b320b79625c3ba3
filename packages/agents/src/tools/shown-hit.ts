import type { CodeHit } from '@sluice/core/code-search';
import { shortenEnd } from './shorten.ts';

const MAX_EXCERPT = 1_200; // characters: a symbol's signature and its beginning, enough to decide what to read

/** A place in the code for a model: `path:first-last in symbol`, and below it the text, shortened. */
export function shownHit(hit: CodeHit, { note = '', excerpt = MAX_EXCERPT } = {}): string {
  const { path, startLine, endLine, symbol, text } = hit;
  const within = symbol === null ? '' : ` in ${symbol.replaceAll('\n', ' ')}`;
  return `${path}:${startLine}-${endLine}${within}${note}\n${shortenEnd(text, excerpt)}`;
}
