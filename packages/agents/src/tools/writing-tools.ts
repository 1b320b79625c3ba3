import type { AgentTool } from './agent-tool.ts';
import { applyPatch } from './apply-patch.ts';
import { editFile } from './edit-file.ts';
import { renameSymbol, replaceInFiles } from './replace-everywhere.ts';
import { deleteFile, writeFile } from './write-file.ts';

/** The tools that write files, with both that edit: a model is offered one of them. */
export const writingTools: readonly AgentTool[] = [
  editFile,
  applyPatch,
  writeFile,
  deleteFile,
  renameSymbol,
  replaceInFiles,
];

/** The other one is not offered. */
const EDITORS = { replace: applyPatch, patch: editFile } as const;

/** The tools of a role for models that edit in this format. */
export function toolsFor(tools: readonly AgentTool[], editFormat: keyof typeof EDITORS): readonly AgentTool[] {
  return tools.filter((tool) => tool !== EDITORS[editFormat]);
}
