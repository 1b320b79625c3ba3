import * as z from 'zod';
import { defineTool, refusal } from './agent-tool.ts';
import { findLoosely } from './find-loosely.ts';
import { inLineEndingsOf } from './line-endings.ts';
import { nearMisses } from './near-misses.ts';
import { outsidePlanReason, requireScope } from './plan-scope.ts';
import { replaceExactly } from './replace-exactly.ts';
import { requireSyntax, syntaxIsRight } from './require-syntax.ts';

const MAX_LINES_NAMED = 10;

export const editFile = defineTool({
  name: 'edit_file',
  description: 'Replaces a text in a file. old_text must match exactly and occur once, unless replace_all is set.',
  input: z.strictObject({
    path: z.string().min(1),
    old_text: z.string().min(1),
    new_text: z.string(),
    replace_all: z.boolean().optional(),
    outside_plan_reason: outsidePlanReason,
    syntax_is_right: syntaxIsRight,
  }),
  effect: 'write',
  // Where new_text holds old_text, a second run would edit the edit.
  onReplay: 'report',
  async run(context, { path, old_text, new_text, replace_all = false, outside_plan_reason, syntax_is_right }) {
    const { files } = context.workspace;
    requireScope(context, [path], outside_plan_reason);
    if (old_text === new_text) throw refusal('old_text and new_text are the same: nothing to do.');
    const text = await files.read(path);
    const [from, to] = inLineEndingsOf(text, [old_text, new_text]);
    const { after, summary } = edited(text, { path, from, to, all: replace_all });
    const broken = await requireSyntax(context, { path, before: text, after, isRight: syntax_is_right });
    await files.write(path, after);
    return `${summary}${broken}`;
  },
});

interface TextEdit {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

/** The text after an edit, with the sentence for the model. @throws AppError `tool_refused` */
function edited(text: string, { path, from, to, all }: TextEdit): { readonly after: string; readonly summary: string } {
  const result = replaceExactly(text, { from, to, all });
  switch (result.kind) {
    case 'absent': {
      const place = findLoosely(text, { from, to });
      if (place === null) throw refusal(`old_text is not in ${path}.${nearMisses(text, from)}`);
      if (place.kind === 'several') {
        const why = `old_text is not exactly in ${path}, and nearly at lines ${numbered(place.lines)}.`;
        throw refusal(`${why} Copy the text exactly as it stands, with more of the lines around it.`);
      }
      const after = text.slice(0, place.start) + place.replacement + text.slice(place.end);
      const line = text.slice(0, place.start).split('\n').length;
      return { after, summary: `Edited ${path} at line ${line}, the one place that fits but for ${place.slip}.` };
    }
    case 'repeated': {
      const advice = 'Give more of the lines around it, or set replace_all.';
      throw refusal(`old_text is ${result.count} times in ${path}, at lines ${numbered(result.lines)}. ${advice}`);
    }
    case 'too_large':
      throw refusal(`${path} would become too large.`);
    case 'replaced':
      return {
        after: result.text,
        summary: result.count === 1 ? `Edited ${path}.` : `Edited ${path} in ${result.count} places.`,
      };
  }
}

function numbered(lines: readonly number[]): string {
  return lines.slice(0, MAX_LINES_NAMED).join(', ') + (lines.length > MAX_LINES_NAMED ? ' and more' : '');
}
