/** What Sluice's own texts at the code host begin with: by it they are found again, and told from people's. */
export function issueMarker(issueId: string): string {
  return `<!-- sluice:issue/${issueId} -->`;
}

/** Whether a text at the code host is one of Sluice's own. */
export function hasMarker(text: string): boolean {
  return /^\s*<!-- sluice:/.test(text);
}
