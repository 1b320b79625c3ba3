// The argument that says most, by the names that tools give it.
const TELLING = ['path', 'command', 'query', 'pattern', 'symbol', 'name', 'glob'];
const MAX_CHARACTERS = 200; // one line

/** What a tool was called with, in one line. */
export function toolSubject(input: Readonly<Record<string, unknown>>): string {
  const telling = TELLING.map((name) => input[name]).find((value) => typeof value === 'string');
  const text = typeof telling === 'string' ? telling : Object.keys(input).length === 0 ? '' : JSON.stringify(input);
  return text.replaceAll(/\s+/g, ' ').slice(0, MAX_CHARACTERS).toWellFormed();
}
