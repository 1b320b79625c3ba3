import type { Issue } from '@sluice/client';

type Cause = NonNullable<Issue['follow_up']>['kind'];

/** Why there is a follow-up. */
export const causeWords = {
  comment: 'because of a comment',
  review: 'because of a review',
  build: 'because the build failed',
  base: 'because the base branch moved',
} as const satisfies Record<Cause, string>;
