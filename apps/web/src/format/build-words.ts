import type { Outcome } from '@sluice/client';

export type Build = NonNullable<Outcome['build']>;

/** The verdict of a build, as one says it of the build: "The build …". */
export const buildWords = {
  pending: { words: 'is running', badge: 'running', tone: 'accent' },
  success: { words: 'passed', badge: 'passed', tone: 'good' },
  failure: { words: 'failed', badge: 'failed', tone: 'bad' },
  cancelled: { words: 'was cancelled', badge: 'cancelled', tone: 'warn' },
} as const satisfies Record<Build['verdict'], { words: string; badge: string; tone: string }>;

/** Further facts about a build, a sentence each. Names are text by others. */
export function buildNotes(build: Build): string[] {
  const { also_failing_at_base: atBase, optional_failed: optional, given_up } = build;
  return [
    ...(atBase.length === 0 ? [] : [`The base branch fails too, so this is not fixed here: ${atBase.join(', ')}.`]),
    ...(optional.length === 0 ? [] : [`Failed, but not required: ${optional.join(', ')}.`]),
    ...(given_up === true ? ['Fixing it was given up: a person has to look.'] : []),
  ];
}
