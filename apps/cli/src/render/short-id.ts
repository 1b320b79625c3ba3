const SHOWN = 8; // of a UUIDv7's random end: with ten thousand issues two share it once in a hundred users

/** The end of an id, by which every command finds it. */
export function shortId(id: string): string {
  return id.slice(-SHOWN);
}
