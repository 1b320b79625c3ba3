import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { outsidePlanReason } from './plan-scope.ts';
import { replaceEverywhere } from './replace-everywhere.ts';
import { syntaxIsRight } from './require-syntax.ts';

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
