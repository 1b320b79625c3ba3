import { AppError } from '@sluice/core/error';
import type { TextMatches, TextQuery } from '@sluice/core/workspace';
import { type MemoryOptions, memoryContext } from '../../../test/loop/memory-context.ts';
import type { AgentTool, ToolContext } from '../agent-tool.ts';

export interface ToolOptions extends MemoryOptions {
  /** Files of the plan; all by default. */
  readonly plannedFiles?: readonly string[];
  /** None by default. */
  readonly brokenFiles?: readonly string[];
  readonly room?: number;
  /** Stands in for the search through the files. */
  grep?(query: TextQuery): Promise<TextMatches>;
}

/** Calls a tool on files in memory. */
export async function useTool(tool: AgentTool, input: unknown, options: ToolOptions = {}) {
  const memory = memoryContext(options);
  const { grep } = options;
  const own = memory.context.workspace.files;
  const files = grep === undefined ? own : { ...own, grep };
  const context: ToolContext = {
    ...memory.context,
    workspace: { files },
    plannedFiles: options.plannedFiles ?? null,
    brokenFiles: new Set(options.brokenFiles),
    room: options.room ?? Number.POSITIVE_INFINITY,
  };
  return { ...memory, answer: await tool.run(context, input) };
}

/** What a tool says when it refuses. */
export async function refusalOf(tool: AgentTool, input: unknown, options: ToolOptions = {}): Promise<string> {
  const error: unknown = await useTool(tool, input, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError) || error.code !== 'tool_refused') throw new Error('It was not refused.');
  return error.message;
}
