/** Saves a patch as a file. A link to the API would get JSON: only a request can ask for another form. */
export function downloadPatch(patch: string, name: string): void {
  const url = URL.createObjectURL(new Blob([patch], { type: 'text/x-diff' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser reads it after the click
}
