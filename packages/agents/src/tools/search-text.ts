import type { TextMatches } from '@sluice/core';
import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { resultLimit } from './result-limit.ts';
import { shortenEnd } from './shorten.ts';

const DEFAULT_MATCHES = 50;
const MAX_MATCHES = 200;
const MAX_LINE = 600; // characters: the search itself cuts a longer line around its match

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Finds lines by a regular expression, or by exact text with literal, in the files that git does not ignore. Answers by file: "12:" stands before a line that matches, "13-" before one around it. For questions of meaning use find_code.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000).describe('A regular expression (no look-around, no back-references).'),
    literal: z.boolean().optional().describe('Take the pattern as the text itself.'),
    ignore_case: z.boolean().optional(),
    path: z.string().min(1).optional().describe('Only below this folder, or in this file.'),
    glob: z.string().min(1).max(200).optional().describe('Only files whose path fits, e.g. "*.ts" or "src/**".'),
    context_lines: z.int().min(0).max(10).optional().describe('Lines around each match; 0 by default.'),
    limit: z.int().min(1).max(MAX_MATCHES).optional().describe(`Matches; ${DEFAULT_MATCHES} by default.`),
  }),
  effect: 'read',
  onReplay: 'rerun',
  async run(context, input) {
    const { workspace, signal } = context;
    const query = {
      pattern: input.pattern,
      literal: input.literal ?? false,
      ignoreCase: input.ignore_case ?? false,
      path: input.path ?? null,
      glob: input.glob ?? null,
      context: input.context_lines ?? 0,
      limit: input.limit ?? DEFAULT_MATCHES,
    };
    const found = await workspace.files.grep(query, signal);
    if (found.lines.length === 0) {
      const within = query.path === null && query.glob === null ? 'the repository' : 'the files that you named';
      return `No line in ${within} matches. Try a shorter pattern, ignore_case, or find_code.`;
    }
    return byFile(found, resultLimit(context));
  },
});

/** Matches below the path of their file, as many as fit, with a note about the rest. */
function byFile({ lines, truncated }: TextMatches, limit: number): string {
  const shown: string[] = [];
  let size = 0;
  let matches = 0;
  let cut = truncated;
  for (const [index, { path, line, text, isMatch }] of lines.entries()) {
    const before = lines[index - 1];
    const rendered = `${line}${isMatch ? ':' : '-'} ${shortenEnd(text, MAX_LINE)}`;
    const heading = before?.path === path ? [] : before === undefined ? [path] : ['', path];
    const gap = before?.path === path && line > before.line + 1 ? ['--'] : [];
    const added = [...heading, ...gap, rendered];
    size += added.join('\n').length + 1;
    if (size > limit) {
      cut = true;
      break;
    }
    shown.push(...added);
    matches += Number(isMatch);
  }
  if (!cut) return shown.join('\n');
  const advice = 'There are more: narrow it with path, glob or a longer pattern.';
  return `${shown.join('\n')}\n\nCut after ${matches} matching lines. ${advice}`;
}
