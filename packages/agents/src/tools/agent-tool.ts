import type { AgentContext } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import type * as z from 'zod';
import { inputReader } from './tool-input.ts';

/** The means of a tool. The host's own paths are behind `workspace.files`. */
export type ToolContext = Pick<AgentContext, 'search' | 'outline' | 'syntaxFaults' | 'runCommand' | 'signal'> & {
  readonly workspace: Pick<AgentContext['workspace'], 'files'>;
  /** Files that may be written without a reason; null: all. */
  readonly plannedFiles: readonly string[] | null;
  /** Files of which a change was refused earlier in the conversation because they would not have parsed. */
  readonly brokenFiles: ReadonlySet<string>;
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

/** How the result of an interrupted call begins. What follows was worded differently in earlier releases' journals. */
const HAD_RESTARTED = 'The service restarted while this ran';

/** The result of a call that had begun when the process died, where running it again could do harm. */
export const RESTARTED = `${HAD_RESTARTED}. It may have had its effect: look before you repeat it.`;

/** The same, where the attempt ended during the call. */
export const PERHAPS_DONE =
  'The attempt ended during this call. It may have had its effect, in full or in part. Look before you repeat it.';

/** Whether a call with this result may have had its effect, in full or in part. */
export function isPerhapsDone(text: string): boolean {
  return text.startsWith(HAD_RESTARTED) || text.startsWith(PERHAPS_DONE);
}

interface ToolDefinition<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly effect: ToolEffect;
  readonly onReplay: ReplayRule;
  /** @returns the text for the model. @throws AppError `tool_refused` with the reason and what to do instead */
  run(context: ToolContext, input: Input): Promise<string>;
}

/** A tool as the loop sees it. It reads its input itself, because a journaled call may be older than the tool. */
export interface AgentTool extends Omit<ToolDefinition<unknown>, 'run'> {
  /** The input with the tool's own names and types; what cannot be read stays as it is. */
  canonical(input: unknown): unknown;
  /** Reads an input. @returns the call, ready to run @throws AppError `tool_refused` when it cannot be used */
  accept(input: unknown): (context: ToolContext) => Promise<string>;
  run(context: ToolContext, input: unknown): Promise<string>;
}

/** Creates a tool from its typed definition. */
export function defineTool<Input>(definition: ToolDefinition<Input>): AgentTool {
  const reader = inputReader(definition.input);
  const accept = (input: unknown) => {
    const read = reader.read(input);
    if ('fault' in read) throw refusal(`${definition.name} was not run: ${read.fault}.`);
    return async (context: ToolContext) => {
      const answer = await definition.run(context, read.value);
      if (read.ignored.length === 0) return answer;
      return `${answer}\n(${definition.name} has no input ${read.ignored.join(', ')}: ignored.)`;
    };
  };
  return {
    ...definition,
    canonical: reader.canonical,
    accept,
    run: async (context, input) => await accept(input)(context),
  };
}

/** A refusal that the model gets as the result of its call. */
export function refusal(detail: string): AppError {
  return new AppError('tool_refused', { detail });
}
