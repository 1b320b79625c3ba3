import * as z from 'zod';
import { defineTool, refusal, type ToolContext } from './agent-tool.ts';
import { changeFiles, type FileChange } from './change-files.ts';
import { type PatchedFile, parsePatch } from './parse-patch.ts';
import { patchedText } from './patched-text.ts';
import { outsidePlanReason, plainPath } from './plan-scope.ts';
import { syntaxIsRight } from './require-syntax.ts';
import { textOf } from './text-of.ts';

export const applyPatch = defineTool({
  name: 'apply_patch',
  description: `Changes files by a patch, all of it or nothing:
*** Begin Patch
*** Update File: src/a.py
@@ def f():
 a line as it stands
-a line that goes
+a line that comes
*** Add File: src/b.py
+its text
*** Delete File: src/c.py
*** End Patch
Give about three lines as they stand around each change, so that it fits one place; a line after @@ says below which line it is. "*** Move to: PATH" below the first line of an update moves the file.`,
  input: z.strictObject({
    patch: z.string().min(1),
    outside_plan_reason: outsidePlanReason,
    syntax_is_right: syntaxIsRight,
  }),
  effect: 'write',
  // A second run would find the old lines gone, and refuse as if the patch had been wrong.
  onReplay: 'report',
  async run(context, { patch, outside_plan_reason, syntax_is_right }) {
    const parsed = parsePatch(patch);
    const changes: FileChange[] = [];
    for (const file of parsed) changes.push(...(await changesOf(context, file)));
    const paths = changes.map(({ path }) => plainPath(path));
    const twice = paths.find((path, index) => paths.indexOf(path) !== index);
    if (twice !== undefined) throw refusal(`The patch names ${twice} twice. Put its hunks below one line.`);
    const permits = { reason: outside_plan_reason, isRight: syntax_is_right };
    return `Applied:\n${await changeFiles(context, changes, permits)}`;
  },
});

async function changesOf({ workspace }: ToolContext, file: PatchedFile): Promise<FileChange[]> {
  const { files } = workspace;
  if (file.kind === 'add') {
    if ((await textOf(files, file.path)) !== null)
      throw refusal(`${file.path} exists already: change it with "*** Update File:".`);
    return [{ path: file.path, before: null, after: file.text, summary: 'new' }];
  }
  const before = await files.read(file.path);
  if (file.kind === 'delete') return [{ path: file.path, before, after: null, summary: 'deleted' }];
  const after = patchedText(file.path, before, file.hunks);
  const count = file.hunks.length;
  const summary = count === 1 ? '1 place' : `${count} places`;
  if (file.movedTo === null) return [{ path: file.path, before, after, summary }];
  if ((await textOf(files, file.movedTo)) !== null) throw refusal(`${file.movedTo} exists already.`);
  return [
    { path: file.path, before, after: null, summary: `moved to ${file.movedTo}` },
    { path: file.movedTo, before: null, after, summary: 'new' },
  ];
}
