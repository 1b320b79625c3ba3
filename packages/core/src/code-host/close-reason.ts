/** Why a pull request was closed without a merge, in the words of the person who was asked. */
export const closeReasons = [
  'not_needed',
  'wrong_approach',
  'poor_quality',
  'too_large',
  'duplicate',
  'done_elsewhere',
  'other',
] as const;
export type CloseReason = (typeof closeReasons)[number];

/** How many characters the note to a reason may have. */
export const CLOSE_NOTE_LENGTH = 500;
