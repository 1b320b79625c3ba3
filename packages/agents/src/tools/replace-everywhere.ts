import * as z from 'zod';
import { defineTool, refusal, type ToolContext } from './agent-tool.ts';
import { type ChangePermits, changeFiles, type FileChange } from './change-files.ts';
import { inLineEndingsOf } from './line-endings.ts';
import { outsidePlanReason } from './plan-scope.ts';
import { syntaxIsRight } from './require-syntax.ts';
import { wordPattern } from './whole-word.ts';

const MAX_LINES = 5_000; // what one search gives
const MAX_FILES = 200; // more is for several calls, each of which a person can follow

interface Replacement extends ChangePermits {
  readonly from: string;
  readonly to: string;
  /** Only where it stands as a word of its own. */
  readonly wholeWord: boolean;
  /** Only below this folder, or in this file; absent: everywhere. */
  readonly within: string | undefined;
  readonly glob: string | undefined;
  /** Only counts. */
  readonly preview: boolean;
}

/**
 * Replaces a text wherever it stands in the files that git does not ignore: in all of them, or in none where one is
 * refused.
 *
 * @returns the number of places by file @throws AppError `tool_refused`
 */
async function replaceEverywhere(context: ToolContext, replacement: Replacement): Promise<string> {
  const { from, to, preview } = replacement;
  if (from === to) throw refusal('Old and new are the same: nothing to do.');
  const changes: FileChange[] = [];
  let places = 0;
  for (const path of await filesWith(context, replacement)) {
    const before = await context.workspace.files.read(path);
    const { text, count } = replaced(before, replacement);
    if (count === 0) continue;
    places += count;
    changes.push({ path, before, after: text, summary: count === 1 ? '1 place' : `${count} places` });
  }
  if (changes.length === 0) throw refusal(`"${from}" stands in no file${scopeOf(replacement)}.`);
  if (changes.length > MAX_FILES)
    throw refusal(`"${from}" stands in ${changes.length} files. Give a folder or a glob: ${MAX_FILES} at a time.`);
  const all = `${places} ${places === 1 ? 'place' : 'places'} in ${changes.length} ${changes.length === 1 ? 'file' : 'files'}`;
  if (preview) {
    // Not as lines of changed files, because nothing was changed.
    const counts = changes.map(({ path, summary }) => `- ${path} (${summary})`);
    return [`Nothing was changed. "${from}" stands at ${all}:`, ...counts].join('\n');
  }
  return `Replaced ${all}:\n${await changeFiles(context, changes, replacement)}`;
}

/** The files in which a search finds the text, by path. */
async function filesWith({ workspace, signal }: ToolContext, { from, within, glob }: Replacement): Promise<string[]> {
  // A search is by lines: of a longer text its longest line is looked for.
  const [line = ''] = from.split(/\r?\n/).sort((a, b) => b.length - a.length);
  if (line.trim() === '') throw refusal('The old text has no line with anything in it.');
  const where = { path: within ?? null, glob: glob ?? null };
  const found = await workspace.files.grep(
    { pattern: line, literal: true, ignoreCase: false, context: 0, limit: MAX_LINES, ...where },
    signal,
  );
  if (found.truncated) throw refusal(`"${line}" stands in too many lines. Give a folder or a glob.`);
  return [...new Set(found.lines.map(({ path }) => path))];
}

function replaced(before: string, { from, to, wholeWord }: Replacement): { text: string; count: number } {
  const [old, next] = inLineEndingsOf(before, [from, to]);
  if (!wholeWord) {
    const pieces = before.split(old);
    return { text: pieces.join(next), count: pieces.length - 1 };
  }
  let count = 0;
  const text = before.replaceAll(wordPattern(old, 'gu'), () => {
    count += 1;
    return next;
  });
  return { text, count };
}

function scopeOf({ within, glob, wholeWord }: Replacement): string {
  const where = [...(within === undefined ? [] : [`below ${within}`]), ...(glob === undefined ? [] : [`like ${glob}`])];
  return `${wholeWord ? ' as a word of its own' : ''}${where.length === 0 ? '' : `, of those ${where.join(' and ')}`}`;
}

const name = z
  .string()
  .max(200)
  .regex(/^[\p{L}\p{N}_$]+$/u, 'must be one name of letters, digits, _ and $');

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  description:
    'Renames a function, class, variable or other name in all files, also in comments and strings. Answers with the places.',
  input: z.strictObject({
    old_name: name,
    new_name: name,
    within: z.string().optional(),
    outside_plan_reason: outsidePlanReason,
    syntax_is_right: syntaxIsRight,
  }),
  effect: 'write',
  // A second run would find no old name, and refuse as if there had been none.
  onReplay: 'report',
  async run(context, { old_name, new_name, within, outside_plan_reason, syntax_is_right }) {
    return await replaceEverywhere(context, {
      from: old_name,
      to: new_name,
      wholeWord: true,
      within,
      glob: undefined,
      preview: false,
      reason: outside_plan_reason,
      isRight: syntax_is_right,
    });
  },
});

export const replaceInFiles = defineTool({
  name: 'replace_in_files',
  description: 'Replaces an exact text in all files, or within a folder or file. For a name use rename_symbol.',
  input: z.strictObject({
    old_text: z.string().min(1).max(2_000),
    new_text: z.string().max(2_000),
    within: z.string().optional(),
    glob: z.string().max(200).optional(),
    preview: z.boolean().optional().describe('Only count.'),
    outside_plan_reason: outsidePlanReason,
    syntax_is_right: syntaxIsRight,
  }),
  effect: 'write',
  // Where new_text holds old_text, a second run would edit the edit.
  onReplay: 'report',
  async run(context, { old_text, new_text, within, glob, preview = false, outside_plan_reason, syntax_is_right }) {
    return await replaceEverywhere(context, {
      from: old_text,
      to: new_text,
      wholeWord: false,
      within,
      glob,
      preview,
      reason: outside_plan_reason,
      isRight: syntax_is_right,
    });
  },
});
