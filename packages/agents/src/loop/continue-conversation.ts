import type { AgentRole, JournalEntry } from '@sluice/core/agent';
import { storableJson } from '@sluice/core/text';
import type { ToolResultPart } from 'ai';
import { fence } from '../roles/fence.ts';
import { PERHAPS_DONE } from '../tools/agent-tool.ts';
import { checkpointEntry } from './answer-calls.ts';
import type { OpenCall } from './conversation.ts';
import { isRetry, type RoleExecution } from './role-execution.ts';

const NOT_DONE = 'The attempt ended before this call was carried out. Nothing was done.';

/**
 * Goes on with the conversation of the earlier rounds: answers the calls that they left open, saves what they left in the
 * tree, and adds one message with what is new. Everything before stays as it was sent, so the provider's cache holds.
 */
export async function continueConversation<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<void> {
  const { setup, context, record } = execution;
  const { transcript, openCalls, isCheckpointDue } = record.now();
  const isAgain = isRetry(context);
  // A round that ended without a result may have saved nothing that counts: the retry begins with all that it left.
  const kept = isCheckpointDue || isAgain ? await context.checkpoint() : null;
  // Only a retry may have read it: a new round is given its feedback even where an earlier one had the same words.
  const isKnown = (part: string) =>
    isAgain && transcript.some(({ message }) => typeof message.content === 'string' && message.content.includes(part));
  const news = (setup.definition.followUp?.(setup.input) ?? []).filter((part) => !isKnown(part));
  const parts = [...news, ...lastAttemptSections(execution)];
  const content = parts.length === 0 ? 'Go on.' : parts.join('\n\n');
  await record.write({
    entries: [
      ...openCalls.map(unansweredEntry),
      ...(isCheckpointDue || kept !== null ? [checkpointEntry(kept)] : []),
      { kind: 'message', message: storableJson({ role: 'user', content }) },
    ],
    events: [],
    ...(kept !== null && { checkpoint: kept }),
  });
}

/** Why the last attempt ended, for its retry; empty when this is none. */
export function lastAttemptSections<Role extends AgentRole>({ setup, context }: RoleExecution<Role>): string[] {
  const reason = context.journal.lastAttempt ?? null;
  if (reason === null) return [];
  const tree = setup.definition.role === 'coder' ? ' Its changes are still in the working tree.' : '';
  return [fence('last_attempt', reason), `The last attempt ended for the reason above.${tree} Go on from there.`];
}

function unansweredEntry({ call, begun }: OpenCall): JournalEntry {
  const { toolCallId, toolName } = call;
  const output = { type: 'error-text', value: begun ? PERHAPS_DONE : NOT_DONE } as const;
  const result: ToolResultPart = { type: 'tool-result', toolCallId, toolName, output };
  return { kind: 'result', callId: toolCallId, message: { role: 'tool', content: [result] } };
}
