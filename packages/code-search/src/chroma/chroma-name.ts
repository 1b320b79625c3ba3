// Apart from what others keep in the same Chroma, and with a letter at both ends, as it demands. Its older releases take
// 63 characters at most; a repository's id and a model's hash make 62 of them.
const BEFORE = 'sluice_';
const AFTER = '_v';

/** A collection's name as Chroma takes it, another one for each: it refuses two dots in a row. */
export function chromaName(collection: string): string {
  return `${BEFORE}${collection.replaceAll('.', '_')}${AFTER}`;
}

/** The collection that Chroma calls so; null where it is not one of ours. */
export function collectionOf(name: string): string | null {
  if (!name.startsWith(BEFORE) || !name.endsWith(AFTER) || name.length <= BEFORE.length + AFTER.length) return null;
  return name.slice(BEFORE.length, -AFTER.length).replaceAll('_', '.');
}
