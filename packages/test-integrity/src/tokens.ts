import { splitOutside } from './split-arguments.ts';

/** Names, numbers and texts in code: what is compared where the form may have changed. */
export function tokensOf(code: string): Set<string> {
  return new Set([...(code.match(TOKEN) ?? []), ...insertedIn(code)]);
}

/** The values that texts of JavaScript insert, which may be a whole table: `${29}`. */
function insertedIn(code: string): string[] {
  return Array.from(code.matchAll(INSERTED), ([, inner = '']) => inner.match(TOKEN) ?? []).flat();
}

const INSERTED = /\$\{((?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]{0,200}\}){0,500}\}){0,1000})\}/g;

/** The numbers and texts, `true`, `false` and the like: what a test expects and what it gives. */
export function literalsOf(code: string): Set<string> {
  return new Set(
    [...tokensOf(code)]
      .filter((token) => /^["'`\d]/.test(token))
      .map((token) => token.replaceAll(/^["'`]|["'`]$/g, '')),
  );
}

/** The same, with what stands in the cells of a table in a text: `"TEN, 26.1"` of JUnit's `@CsvSource`. */
export function writtenLiterals(code: string): Set<string> {
  const literals = literalsOf(code);
  const cells = [...literals].flatMap((text) => (/[,|]/.test(text) ? splitOutside(text, /[,|\n]/) : []));
  return new Set([...literals, ...cells.map((cell) => cell.trim().replaceAll(/^['"]|['"]$/g, ''))]);
}

/** The names that a test uses. */
export function namesOf(code: string): Set<string> {
  return new Set(Array.from(code.matchAll(TOKEN), ([token]) => token).filter((token) => /^[A-Za-z_$]/.test(token)));
}

/** A text, a number or a name. */
export const TOKEN = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\d[\w.]*|[A-Za-z_$][\w$]*/g;

/** The share of `tokens` that is in `others`, from 0 to 1; 1 where there are none. */
export function shareIn(tokens: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (tokens.size === 0) return 1;
  let shared = 0;
  for (const token of tokens) if (others.has(token)) shared += 1;
  return shared / tokens.size;
}

/** One line, without what a formatter changes. */
export function plainCode(code: string): string {
  return code
    .replaceAll(/[\s;,]+/g, ' ')
    .replaceAll(/ ?([()[\]{}]) ?/g, '$1')
    .replaceAll('"', "'")
    .trim();
}

/** The words in a name or a title, in lower case: `readsTheFile`, `reads_the_file` and `reads the file` have the same. */
export function wordsOfName(name: string): string[] {
  return (
    name
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  );
}
