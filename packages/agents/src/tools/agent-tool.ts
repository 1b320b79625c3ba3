import { type AgentContext, AppError } from '@sluice/core';
import * as z from 'zod';

/** What a tool may reach. The host's own paths are behind `workspace.files`. */
export type ToolContext = Pick<AgentContext, 'search' | 'outline' | 'runCommand' | 'signal'> & {
  readonly workspace: Pick<AgentContext['workspace'], 'files'>;
  /** Files that may be written without a reason; null: all. */
  readonly plannedFiles: readonly string[] | null;
};

/** `read` changes nothing, `write` changes files, `exec` runs something whose effects nobody knows. */
type ToolEffect = 'read' | 'write' | 'exec';

/**
 * What happens to a call that had begun when the process died: `rerun` where doing it twice equals doing it once,
 * `report` where the model must look before it repeats.
 */
type ReplayRule = 'rerun' | 'report';

interface ToolDefinition<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly effect: ToolEffect;
  readonly onReplay: ReplayRule;
  /** @returns what the model reads. @throws AppError `tool_refused` with what is wrong and what to do instead */
  run(context: ToolContext, input: Input): Promise<string>;
}

/** A tool as the loop sees it: it checks its own input, because a journaled call may be older than the tool. */
export interface AgentTool extends Omit<ToolDefinition<unknown>, 'run'> {
  run(context: ToolContext, input: unknown): Promise<string>;
}

/** Makes a tool out of its typed definition. */
export function defineTool<Input>(definition: ToolDefinition<Input>): AgentTool {
  return {
    ...definition,
    async run(context, input) {
      const parsed = definition.input.safeParse(input);
      if (!parsed.success) throw refusal(`The input does not fit ${definition.name}: ${z.prettifyError(parsed.error)}`);
      return await definition.run(context, parsed.data);
    },
  };
}

/** A refusal that the model reads. */
export function refusal(detail: string): AppError {
  return new AppError('tool_refused', { detail });
}
