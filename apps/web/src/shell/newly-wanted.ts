import type { WantedIssue } from '@sluice/client';

/** What tells one wait of an issue from its next one. */
export function waitOf({ id, since }: Pick<WantedIssue, 'id' | 'since'>): string {
  return `${id} ${since}`;
}

/** The issues that began to wait since the list was seen last. Nothing is new in the first list. */
export function newlyWanted<Wanted extends Pick<WantedIssue, 'id' | 'since'>>(
  before: ReadonlySet<string> | null,
  now: readonly Wanted[],
): Wanted[] {
  return before === null ? [] : now.filter((issue) => !before.has(waitOf(issue)));
}
