import { issueBounds } from '@sluice/core/issue';
import { bytesOfText, text } from '../input/text.ts';

/** The text of an issue in a request. */
export const issueText = {
  title: text({ min: 1, max: issueBounds.titleCharacters, line: true }),
  body: bytesOfText(issueBounds.bodyBytes).describe('At most 64 KiB; may be empty.'),
};
