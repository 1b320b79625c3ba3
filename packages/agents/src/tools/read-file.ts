import type { CodeSymbol } from '@sluice/core/code-search';
import * as z from 'zod';
import { defineTool, refusal, type ToolContext } from './agent-tool.ts';
import { resultLimit } from './result-limit.ts';

const MAX_NAMED_SYMBOLS = 30; // symbols in a refusal; `outline` has them all

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file, some of its lines, or the definition of a symbol.',
  input: z.strictObject({
    path: z.string().min(1),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
    symbol: z.string().min(1).max(200).optional(),
    numbers: z.boolean().optional().describe('Puts a number and a tab before each line.'),
  }),
  effect: 'read',
  onReplay: 'rerun',
  async run(context, { path, symbol, numbers = false, start_line = 1, end_line = Number.MAX_SAFE_INTEGER }) {
    const text = await context.workspace.files.read(path);
    if (text === '') return `${path}: empty`;
    const file = { path, lines: text.split('\n'), endsInNewline: text.endsWith('\n'), hasNumbers: numbers };
    if (file.endsInNewline) file.lines.pop();
    if (end_line < start_line) throw refusal('end_line is before start_line.');
    if (start_line > file.lines.length) throw refusal(`${path} has only ${file.lines.length} lines.`);
    const ranges: readonly [Range, ...Range[]] =
      symbol === undefined ? [{ start: start_line, end: end_line }] : await placesOf(context, { path, text, symbol });
    return shownTogether(file, ranges, resultLimit(context));
  },
});

interface ReadFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly endsInNewline: boolean;
  readonly hasNumbers: boolean;
}

/** The first and the last line, from 1, both included. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The ranges that fit, and where the others are. */
function shownTogether(file: ReadFile, ranges: readonly [Range, ...Range[]], limit: number): string {
  const [first, ...others] = ranges;
  const texts = [shown(file, first, limit)];
  let left = limit - texts.join('').length;
  for (const [index, range] of others.entries()) {
    const lines = file.lines.slice(range.start - 1, range.end).join('\n').length;
    if (lines > left) {
      const places = others.slice(index).map(({ start }) => start);
      const more = places.length > MAX_PLACES ? ' and below' : '';
      texts.push(`… ${places.length} more, from the lines ${places.slice(0, MAX_PLACES).join(', ')}${more}.`);
      break;
    }
    texts.push(shown(file, range, limit));
    left -= lines;
  }
  return texts.join('\n\n');
}

const MAX_PLACES = 20;

function shown({ path, lines, endsInNewline, hasNumbers }: ReadFile, { start, end }: Range, limit: number): string {
  const taken: string[] = [];
  let size = 0;
  for (const [index, line] of lines.slice(start - 1, end).entries()) {
    const one = hasNumbers ? `${start + index}\t${line}` : line;
    size += one.length + 1;
    if (size > limit) break;
    taken.push(one);
  }
  if (taken.length === 0) throw refusal(`Line ${start} of ${path} is longer than ${Math.floor(limit)} characters.`);
  const last = start + taken.length - 1;
  const note = last === lines.length && !endsInNewline ? ', no newline at the end' : '';
  const rest = last < Math.min(end, lines.length) ? `\n… continue with start_line ${last + 1}.` : '';
  return `${path}: lines ${start}-${last} of ${lines.length}${note}\n${taken.join('\n')}${rest}`;
}

/** Where a symbol is defined; `Class.method` names a method. */
async function placesOf(
  { outline }: Pick<ToolContext, 'outline'>,
  { path, text, symbol }: { readonly path: string; readonly text: string; readonly symbol: string },
): Promise<readonly [Range, ...Range[]]> {
  const symbols = await outline({ path, text });
  if (symbols === null) {
    throw refusal(
      `The language of ${path} is not supported, so its symbols are unknown. Give start_line and end_line.`,
    );
  }
  const [name, owner] = symbol
    .replace(/\(.*$/, '')
    .split(/[.#:]+/)
    .reverse();
  const owners = symbols.filter((one) => one.name === owner);
  const named = symbols.filter((one) => one.name === symbol || one.name === name);
  const within = named.filter((one) => owners.some((outer) => encloses(outer, one)));
  const [first, ...others] = (within.length > 0 ? within : named).map(({ startLine, endLine }) => ({
    start: startLine,
    end: endLine,
  }));
  if (first !== undefined) return [first, ...others];
  const names = [...new Set(symbols.map((one) => one.name))];
  const more = names.length > MAX_NAMED_SYMBOLS ? ` and ${names.length - MAX_NAMED_SYMBOLS} more` : '';
  const has = names.length === 0 ? 'no symbols' : `${names.slice(0, MAX_NAMED_SYMBOLS).join(', ')}${more}`;
  throw refusal(`${path} does not define ${symbol}. It defines ${has}.`);
}

type Lines = Pick<CodeSymbol, 'startLine' | 'endLine'>;

function encloses(outer: Lines, inner: Lines): boolean {
  return outer !== inner && outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}
