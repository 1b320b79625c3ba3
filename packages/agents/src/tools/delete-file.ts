import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { outsidePlanReason, requireScope } from './plan-scope.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes a file.',
  input: z.strictObject({
    path: z.string().min(1).describe('Path relative to the repository root.'),
    outside_plan_reason: outsidePlanReason,
  }),
  effect: 'write',
  // Run again it would refuse, "no such file", which reads like a mistake of the model's.
  onReplay: 'report',
  async run(context, { path, outside_plan_reason }) {
    requireScope(context, path, outside_plan_reason);
    await context.workspace.files.remove(path);
    return `Deleted ${path}.`;
  },
});
