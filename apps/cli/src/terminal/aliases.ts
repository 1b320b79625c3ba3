import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configFolder } from './environment.ts';
import { CommandError, exitCode } from './exit-code.ts';

const NAME = /^[A-Za-z][\w-]{0,39}$/;
const WORD = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gs;

/** The file with one alias a line: `NAME=words of a command`. */
const aliasFile = () => join(configFolder(), 'aliases');

/** The user's aliases by name. @throws CommandError when their file is there and cannot be read */
export async function readAliases(): Promise<ReadonlyMap<string, string>> {
  let text: string;
  try {
    text = await readFile(aliasFile(), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return new Map();
    throw new CommandError(exitCode.unexpected, `The aliases cannot be read (${code}): ${aliasFile()}`);
  }
  const lines = text.split('\n').map((line) => /^([^=#]+)=(.+)$/.exec(line.trim()));
  return new Map(lines.flatMap((line) => (line === null ? [] : [[line[1]?.trim() ?? '', line[2]?.trim() ?? '']])));
}

/** Replaces the user's aliases, in order of their names. */
export async function writeAliases(aliases: ReadonlyMap<string, string>): Promise<void> {
  const file = aliasFile();
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  const lines = [...aliases].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, words]) => `${name}=${words}\n`);
  await writeFile(temporary, lines.join(''));
  await rename(temporary, file);
}

/** Returns a text as the name of an alias. @throws CommandError when it cannot be the name of an alias */
export function checkedAliasName(name: string): string {
  if (NAME.test(name)) return name;
  throw new CommandError(exitCode.usage, `${JSON.stringify(name)} cannot be an alias: use letters, digits, - and _.`);
}

/**
 * The words of an alias with its arguments: `$1` stands for the first one, and arguments that no `$` stands for follow at
 * the end.
 *
 * @throws CommandError when the alias needs more arguments, or a quote is not closed
 */
export function expandAlias(words: string, args: readonly string[]): string[] {
  const used = new Set<number>();
  const expanded = splitWords(words).map((word) =>
    word.replaceAll(/\$([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const value = args[at];
      if (value === undefined) {
        throw new CommandError(exitCode.usage, `The alias "${words}" needs ${digit} argument${at === 0 ? '' : 's'}.`);
      }
      used.add(at);
      return value;
    }),
  );
  return [...expanded, ...args.filter((_, at) => !used.has(at))];
}

/** Splits a line into words as a shell does, without expansions. */
function splitWords(line: string): string[] {
  const words: string[] = [];
  let current: string | null = null;
  let end = 0;
  for (const match of line.matchAll(WORD)) {
    if (match.index !== end) break;
    end = match.index + match[0].length;
    const [, single, double, escaped, plain, space] = match;
    if (space === undefined)
      current = `${current ?? ''}${single ?? double?.replaceAll(/\\(.)/gs, '$1') ?? escaped ?? plain}`;
    else if (current !== null) {
      words.push(current);
      current = null;
    }
  }
  if (end !== line.length) throw new CommandError(exitCode.usage, `A quote is not closed: ${line}`);
  return current === null ? words : [...words, current];
}
