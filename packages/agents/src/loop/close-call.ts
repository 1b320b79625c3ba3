import { AppError, type ErrorCode } from '@sluice/core';
import type { ToolResultPart } from 'ai';
import type { AgentTool, ToolContext } from '../tools/agent-tool.ts';
import type { OpenCall } from './conversation.ts';
import { plainText } from './plain-json.ts';
import { RESTARTED } from './replay.ts';

/** Refusals that the model should hear of. Whatever else a tool throws ends the stage. */
const answersToTheModel: ReadonlySet<ErrorCode> = new Set(['tool_refused', 'sandbox_unavailable']);

interface CallBounds {
  readonly tools: readonly AgentTool[];
  readonly context: ToolContext;
  /** Writes down that the effect may happen from now on. */
  begin(): Promise<void>;
}

/**
 * Answers one open call: runs its tool, or, when an earlier process had begun it, does what the tool's replay rule
 * says. The result is not written down here.
 */
export async function closeCall(
  { tools, context, begin }: CallBounds,
  { call, begun }: OpenCall,
): Promise<ToolResultPart> {
  const answer = (type: 'text' | 'error-text', value: string): ToolResultPart => ({
    type: 'tool-result',
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    output: { type, value: plainText(value) },
  });
  const tool = tools.find(({ name }) => name === call.toolName);
  if (tool === undefined)
    return answer(
      'error-text',
      `There is no tool "${call.toolName}". There are: ${tools.map(({ name }) => name).join(', ')}.`,
    );
  if (begun && tool.onReplay === 'report') return answer('error-text', RESTARTED);
  if (!begun && tool.effect !== 'read') await begin();
  try {
    // What has been done is written down even when it was cancelled meanwhile: a process that stops is gone on from.
    return answer('text', await tool.run(context, call.input));
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof AppError && answersToTheModel.has(error.code)) return answer('error-text', error.message);
    throw error;
  }
}
