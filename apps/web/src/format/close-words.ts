import type { CloseReason } from '@sluice/client';

/** Why a pull request was closed without a merge, in the order in which people are asked. */
export const closeWords = {
  not_needed: 'Not needed',
  wrong_approach: 'Wrong approach',
  poor_quality: 'Poor quality',
  too_large: 'Too large',
  duplicate: 'A duplicate',
  done_elsewhere: 'Done elsewhere',
  other: 'Another reason',
} as const satisfies Readonly<Record<CloseReason, string>>;

export const closeReasons = Object.keys(closeWords) as readonly CloseReason[];
