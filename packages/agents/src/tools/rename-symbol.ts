import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { outsidePlanReason } from './plan-scope.ts';
import { replaceEverywhere } from './replace-everywhere.ts';
import { syntaxIsRight } from './require-syntax.ts';

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
