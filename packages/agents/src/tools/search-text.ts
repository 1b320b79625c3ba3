import type { TextMatches } from '@sluice/core/workspace';
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
    'Finds lines by a regular expression (no look-around, no back-references) or literal text. "12:" marks a match, "13-" a line around one.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000),
    literal: z.boolean().optional(),
    ignore_case: z.boolean().optional(),
    path: z.string().min(1).optional().describe('A folder or file.'),
    glob: z.string().min(1).max(200).optional().describe('E.g. "*.ts" or "src/**".'),
    context_lines: z.int().min(0).max(10).optional(),
    limit: z.int().min(1).max(MAX_MATCHES).optional(),
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
    return byFile(found, { limit: resultLimit(context), hasContext: query.context > 0 });
  },
});

/** Matches below the path of their file, as many as fit, with a note about the rest. */
function byFile(
  { lines, truncated }: TextMatches,
  { limit, hasContext }: { readonly limit: number; readonly hasContext: boolean },
): string {
  const shown: string[] = [];
  let size = 0;
  let matches = 0;
  let cut = truncated;
  for (const [index, { path, line, text, isMatch }] of lines.entries()) {
    const before = lines[index - 1];
    const rendered = `${line}${isMatch ? ':' : '-'} ${shortenEnd(text, MAX_LINE)}`;
    const heading = before?.path === path ? [] : before === undefined ? [path] : ['', path];
    const gap = hasContext && before?.path === path && line > before.line + 1 ? ['--'] : [];
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
