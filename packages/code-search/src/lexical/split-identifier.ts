const WORD = /[\p{L}\p{N}]+/gu;
const INNER_HUMP = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}]+|\p{N}+|\p{Lu}/gu;

/**
 * The words inside an identifier, lower-cased: `parseHTTPResponse_v2` gives `parse http response v 2`. One word
 * alone gives nothing, as the word is there already.
 */
export function splitIdentifier(identifier: string): string[] {
  const parts = (identifier.match(WORD) ?? []).flatMap((word) => word.match(HUMP) ?? [word]);
  return parts.length < 2 ? [] : parts.map((part) => part.toLowerCase());
}

/** The words inside all identifiers of a text, for the column that lets `user name` find `getUserName`. */
export function splitIdentifiers(text: string): string {
  const humped = (text.match(WORD) ?? []).filter((word) => INNER_HUMP.test(word));
  return [...new Set(humped)].flatMap(splitIdentifier).join(' ');
}

/** Names with the words inside them. */
export function withInnerWords(names: string): string {
  return `${names}\n${splitIdentifiers(names)}`;
}
