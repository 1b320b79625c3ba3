const CHARACTERS = 10; // unique in all but the largest repositories; the whole id stands in a title

/** The id of a commit as people read it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, CHARACTERS);
}
