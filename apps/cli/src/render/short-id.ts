const LENGTH = 8; // of a UUIDv7's random end: two of a user's ten thousand issues share it in 1 of 100 cases

/** The ending of an id, which every command accepts in place of the id. */
export function shortId(id: string): string {
  return id.slice(-LENGTH);
}
