import { readdirSync, readFileSync } from 'node:fs';

const SHOWN = /(<!-- The text of (\S+) -->\n```\w+\n)[\s\S]*?(\n```\n)/g;

/** The pages of docs/ that include a file of the repository, with its current text. */
export function printShownFiles(): Record<string, string> {
  const root = new URL('../', import.meta.url);
  const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
  const pages = readdirSync(new URL('docs', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => [`docs/${name}`, read(`docs/${name}`)] as const)
    .filter(([, text]) => text.includes('<!-- The text of '));
  const withFile = (...[, head = '', file = '', tail = '']: string[]) => `${head}${read(file).trimEnd()}${tail}`;
  return Object.fromEntries(pages.map(([path, text]) => [path, text.replaceAll(SHOWN, withFile)]));
}
