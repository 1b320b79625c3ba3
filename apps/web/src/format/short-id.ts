const LENGTH = 8; // of a UUIDv7's random end, as the command shows it

/** The end of an id, which tells it from others on a page: `…d8a39853`. */
export function shortId(id: string): string {
  return `…${id.slice(-LENGTH)}`;
}
