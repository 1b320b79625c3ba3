import type { CodeHit } from '@sluice/core';
import { shortenEnd } from './shorten.ts';

const MAX_EXCERPT = 3_000; // characters: a screenful, enough to decide what to read

/** A place in the code for a model: `path:first-last in symbol`, and below it the text, shortened. */
export function shownHit({ path, startLine, endLine, symbol, text }: CodeHit): string {
  const within = symbol === null ? '' : ` in ${symbol.replaceAll('\n', ' ')}`;
  return `${path}:${startLine}-${endLine}${within}\n${shortenEnd(text, MAX_EXCERPT)}`;
}
