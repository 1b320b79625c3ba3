import { cutName } from './cut-name.ts';

/**
 * A test's name in full: its file, the suites around it, and its own name. What a report does not tell is left out, and
 * a file that stands for itself because it could not be loaded is not named twice. Cut to the length of a name.
 */
export function testName(...parts: (string | null | undefined)[]): string {
  const known = parts.filter((part) => part !== null && part !== undefined && part !== '');
  const [first] = known;
  return cutName(known.filter((part, at) => at === 0 || namedFile(part ?? '') !== first).join(' > '));
}

/**
 * A file as it may stand in a name. Reports give absolute paths as often as relative ones; the working tree's place on
 * the host is private and differs between runs, so only the last two parts of an absolute path are kept.
 */
export function namedFile(path: string): string {
  const plain = path.replace(/^file:\/\//, '');
  return /^(\/|[A-Za-z]:\\)/.test(plain) ? plain.split(/[\\/]/).slice(-2).join('/') : plain;
}
