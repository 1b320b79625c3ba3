/** A file that is uploaded. */
export interface Attached {
  readonly id: string;
  readonly name: string;
}

/** The uploaded files of a draft, which keeps them as text: an id and a name on each line. */
export function attachedOf(text: string): Attached[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ id: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) }));
}

/** The draft's text for these files. */
export function withAttached(files: readonly Attached[]): string {
  return files.map(({ id, name }) => `${id} ${name}`).join('\n');
}

/** The ids for a request; undefined where there are none. */
export function attachedIds(text: string): string[] | undefined {
  const files = attachedOf(text);
  return files.length === 0 ? undefined : files.map(({ id }) => id);
}
