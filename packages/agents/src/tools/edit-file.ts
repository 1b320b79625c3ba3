import * as z from 'zod';
import { defineTool, refusal } from './agent-tool.ts';
import { nearMisses } from './near-misses.ts';
import { outsidePlanReason, requireScope } from './plan-scope.ts';
import { replaceExactly } from './replace-exactly.ts';
import { requireSyntax, syntaxIsRight } from './require-syntax.ts';

const MAX_LINES_NAMED = 10;

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces a piece of text in a file. old_text must be in the file exactly (spaces and line breaks count) and only once; give more of the lines around it to make it unique, or set replace_all.',
  input: z.strictObject({
    path: z.string().min(1).describe('Path relative to the repository root.'),
    old_text: z.string().min(1).describe('The text as it stands, without line numbers.'),
    new_text: z.string().describe('What comes in its place; may be empty.'),
    replace_all: z.boolean().optional().describe('Replace every occurrence.'),
    outside_plan_reason: outsidePlanReason,
    syntax_is_right: syntaxIsRight,
  }),
  effect: 'write',
  // Where new_text holds old_text, a second run would edit the edit.
  onReplay: 'report',
  async run(context, { path, old_text, new_text, replace_all = false, outside_plan_reason, syntax_is_right }) {
    const { files } = context.workspace;
    requireScope(context, path, outside_plan_reason);
    if (old_text === new_text) throw refusal('old_text and new_text are the same: nothing to do.');
    const text = await files.read(path);
    const [from, to] = inLineEndingsOf(text, [old_text, new_text]);
    const result = replaceExactly(text, { from, to, all: replace_all });
    switch (result.kind) {
      case 'absent':
        throw refusal(`old_text is not in ${path}.${nearMisses(text, old_text)}`);
      case 'repeated': {
        const more = result.lines.length > MAX_LINES_NAMED ? ' and more' : '';
        const lines = result.lines.slice(0, MAX_LINES_NAMED).join(', ') + more;
        const advice = 'Give more of the lines around it, or set replace_all.';
        throw refusal(`old_text is ${result.count} times in ${path}, at lines ${lines}. ${advice}`);
      }
      case 'too_large':
        throw refusal(`${path} would become too large.`);
      case 'replaced': {
        const change = { path, before: text, after: result.text, isRight: syntax_is_right };
        const broken = await requireSyntax(context, change);
        await files.write(path, result.text);
        return `${result.count === 1 ? `Edited ${path}.` : `Edited ${path} in ${result.count} places.`}${broken}`;
      }
    }
  },
});

/** Models write line feeds; a file that has only CRLF is matched, and stays, with CRLF. */
function inLineEndingsOf(text: string, [from, to]: readonly [string, string]): readonly [string, string] {
  if (text.includes(from) || !text.includes('\r\n') || /(?<!\r)\n/.test(text)) return [from, to];
  return [from.replaceAll(/\r?\n/g, '\r\n'), to.replaceAll(/\r?\n/g, '\r\n')];
}
