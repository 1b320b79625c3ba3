const SHORT_ID = 8;

/** How a file of an issue is called. The end of an id tells issues apart; its start is a time. */
export function fileName(issueId: string, ending: string): string {
  return `issue-${issueId.slice(-SHORT_ID)}.${ending}`;
}

/** Gives the user a file that was put together in this page. */
export function saveFile(name: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
