/** The first line of Sluice's own texts at the code host. It distinguishes them from text by people. */
export function issueMarker(issueId: string): string {
  return `<!-- sluice:issue/${issueId} -->`;
}

/** The first line of the one comment about the build on the pull request of this issue. */
export function buildMarker(issueId: string): string {
  return `<!-- sluice:build/${issueId} -->`;
}

/** The first line of the one answer that a remark on a pull request gets from an issue. */
export function remarkMarker(issueId: string, remarkId: string): string {
  return `<!-- sluice:issue/${issueId} remark/${remarkId} -->`;
}

/** The first line of the one comment that asks people to run what waits: another one for bots. */
export function roundsMarker(issueId: string, by: 'people' | 'bots'): string {
  return `<!-- sluice:issue/${issueId} rounds/${by} -->`;
}

/** Whether a text at the code host is Sluice's own. */
export function hasMarker(text: string): boolean {
  return /^\s*<!-- sluice:/.test(text);
}
