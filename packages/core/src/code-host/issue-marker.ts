/** The first line of Sluice's own texts at the code host. It distinguishes them from text by people. */
export function issueMarker(issueId: string): string {
  return `<!-- sluice:issue/${issueId} -->`;
}

/** Whether a text at the code host is Sluice's own. */
export function hasMarker(text: string): boolean {
  return /^\s*<!-- sluice:/.test(text);
}
