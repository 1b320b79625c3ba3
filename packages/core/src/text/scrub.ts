import { withoutSecrets } from './known-secrets.ts';

const REMOVED = '[removed]';

/** What a credential looks like where one is not known by its text, e.g. a part of a key that the vendor repeats. */
const looks: readonly (readonly [RegExp, string])[] = [
  [/\b(?:bearer|basic)\s+[^\s"',;]+/gi, REMOVED],
  [/\b(?:(?:x-)?api[-_]?key|(?:proxy-)?authorization|token|secret|password)["']?\s*[:=]\s*["']?[^\s"',;&]+/gi, REMOVED],
  [/\b(?:sk|pk|rk|gsk|xai|key)[-_][\w*.-]{4,}/g, REMOVED],
  [/\b([a-z][\w+.-]*:\/\/)[^\s/@]*@/gi, `$1${REMOVED}@`],
  [/(\bhttps?:\/\/[^\s?"']*)\?[^\s"']*/gi, `$1?${REMOVED}`],
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}/g, REMOVED],
];

/** A text without the given secrets, each in every way in which it is written, and without what looks like one. */
export function scrub(text: string, secrets: readonly string[]): string {
  const written = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // The longest first: a secret may be a part of another.
  const longestFirst = written.sort((one, other) => other.length - one.length);
  const known = longestFirst.reduce((left, secret) => left.replaceAll(secret, REMOVED), text);
  return looks.reduce((left, [look, put]) => left.replaceAll(look, put), withoutSecrets(known));
}

/** The user, the password and the query of an address: where a gateway's credentials stand. */
export function secretsInUrl(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, searchParams } = new URL(address);
  return [username, password, ...searchParams.values()].filter((part) => part.length > 3).map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
