import type { CodeHostOrigin } from '@sluice/core/hosted-issue';

/** An origin as one text. No comment's or review's id begins with this sign. */
export function originKey(origin: CodeHostOrigin): string {
  return 'number' in origin ? `#${origin.number}` : origin.commentId;
}
