import { posix } from 'node:path';
import type { WorkspaceFiles } from '@sluice/core/workspace';
import * as z from 'zod';
import { defineTool, refusal } from './agent-tool.ts';
import { outsidePlanReason, requireScope } from './plan-scope.ts';
import { requireSyntax, syntaxIsRight } from './require-syntax.ts';
import { textOf } from './text-of.ts';

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Creates a file, or replaces its whole content. To change a part, edit it.',
  input: z.strictObject({
    path: z.string().min(1),
    content: z.string(),
    must_be_new: z.boolean().optional(),
    outside_plan_reason: outsidePlanReason,
    syntax_is_right: syntaxIsRight,
  }),
  effect: 'write',
  // The same content twice is the same file, and `must_be_new` accepts what an earlier run of the call has written.
  onReplay: 'rerun',
  async run(context, { path, content, must_be_new = false, outside_plan_reason, syntax_is_right }) {
    const { files } = context.workspace;
    requireScope(context, [path], outside_plan_reason);
    if (must_be_new && (await holdsSomethingElse(files, path, content))) {
      throw refusal(`${path} exists already. Read it, and change it by an edit.`);
    }
    const before = await textOf(files, path);
    const broken = await requireSyntax(context, { path, before, after: content, isRight: syntax_is_right });
    await files.write(path, content);
    return `Wrote ${path} (${content.length} characters).${broken}`;
  },
});

async function holdsSomethingElse(files: WorkspaceFiles, path: string, content: string): Promise<boolean> {
  const text = await textOf(files, path);
  if (text !== null) return text !== content;
  // Null for an absent file and for one that is not text. Only the listing distinguishes them.
  return (await files.list()).includes(posix.normalize(path));
}

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes a file.',
  input: z.strictObject({
    path: z.string().min(1),
    outside_plan_reason: outsidePlanReason,
  }),
  effect: 'write',
  // Run again it would refuse, "no such file", which reads like a mistake of the model's.
  onReplay: 'report',
  async run(context, { path, outside_plan_reason }) {
    requireScope(context, [path], outside_plan_reason);
    await context.workspace.files.remove(path);
    return `Deleted ${path}.`;
  },
});
