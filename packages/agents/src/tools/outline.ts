import type { CodeSymbol } from '@sluice/core/code-search';
import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { resultLimit } from './result-limit.ts';
import { shortenEnd } from './shorten.ts';

const MAX_SIGNATURE = 160;

export const outline = defineTool({
  name: 'outline',
  description: 'Lists what a long file defines, with the lines of each.',
  input: z.strictObject({ path: z.string().min(1) }),
  effect: 'read',
  onReplay: 'rerun',
  async run(context, { path }) {
    const text = await context.workspace.files.read(path);
    const symbols = await context.outline({ path, text });
    if (symbols === null) return `${path} has no outline: its language is not known here. Use read_file.`;
    if (symbols.length === 0) return `${path} defines no symbols. Use read_file.`;
    const all = symbols.map(lineOf);
    const shown = withinLimit(all, resultLimit(context));
    const left = all.length - shown.length;
    const cut =
      left > 0 ? [`… and ${left} more, after line ${symbols[shown.length - 1]?.startLine}: use search_text.`] : [];
    return [`${path}: ${symbols.length} symbols, by lines`, ...shown, ...cut].join('\n');
  },
});

function lineOf({ kind, name, startLine, endLine, depth, signature }: CodeSymbol): string {
  const rendered = shortenEnd(signature.trim().replaceAll('\n', ' '), MAX_SIGNATURE);
  return `${startLine}-${endLine}\t${'  '.repeat(depth)}${kind} ${name}${rendered === '' ? '' : `: ${rendered}`}`;
}

/** The first lines that together have no more than so many characters. */
function withinLimit(lines: readonly string[], limit: number): readonly string[] {
  let size = 0;
  const end = lines.findIndex((line) => {
    size += line.length + 1;
    return size > limit;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
