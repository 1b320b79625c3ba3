import { type AgentContext, AppError } from '@sluice/core';
import * as z from 'zod';

/** The means of a tool. The host's own paths are behind `workspace.files`. */
export type ToolContext = Pick<AgentContext, 'search' | 'outline' | 'runCommand' | 'signal'> & {
  readonly workspace: Pick<AgentContext['workspace'], 'files'>;
  /** Files that may be written without a reason; null: all. */
  readonly plannedFiles: readonly string[] | null;
  /** The characters that the model's whole request may have; infinite without a limit. A result takes only a share of it. */
  readonly room: number;
};

/** `read` changes nothing, `write` changes files, `exec` has unknown effects. */
type ToolEffect = 'read' | 'write' | 'exec';

/**
 * How to treat a call that had begun when the process died: `rerun` a call that is idempotent, `report` one that the
 * model must check before repeating.
 */
type ReplayRule = 'rerun' | 'report';

/** The result of a call that had begun when the process died, where running it again could do harm. */
export const RESTARTED = 'The service restarted while this ran; check before repeating.';

interface ToolDefinition<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly effect: ToolEffect;
  readonly onReplay: ReplayRule;
  /** @returns the text for the model. @throws AppError `tool_refused` with the reason and what to do instead */
  run(context: ToolContext, input: Input): Promise<string>;
}

/** A tool as the loop sees it. It validates its input, because a journaled call may be older than the tool. */
export interface AgentTool extends Omit<ToolDefinition<unknown>, 'run'> {
  run(context: ToolContext, input: unknown): Promise<string>;
}

/** Creates a tool from its typed definition. */
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

/** A refusal that the model gets as the result of its call. */
export function refusal(detail: string): AppError {
  return new AppError('tool_refused', { detail });
}
