import type { AgentTool } from './agent-tool.ts';
import { editFile } from './edit-file.ts';
import { renameSymbol } from './rename-symbol.ts';
import { replaceInFiles } from './replace-in-files.ts';
import { deleteFile, writeFile } from './write-file.ts';

/** The tools that write files. */
export const writingTools: readonly AgentTool[] = [editFile, writeFile, deleteFile, renameSymbol, replaceInFiles];
