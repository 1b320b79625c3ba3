import type { AgentContext, AgentRole, JournalEntry, NewEvent, Usage } from '@sluice/core';
import type { LanguageModelUsage, ModelMessage } from 'ai';
import { messageEvent, toolCallEvent, toolResultEvent } from './agent-events.ts';
import type { Conversation } from './conversation.ts';
import { liveText } from './live-text.ts';
import type { ModelChoice } from './model-choice.ts';
import { type ModelTurn, modelTurn } from './model-turn.ts';
import { plainJson } from './plain-json.ts';
import type { RoleRun } from './role-run.ts';

/** One answer of the model, ready to be written down. */
export interface AgentTurn {
  readonly entries: readonly JournalEntry[];
  readonly events: readonly NewEvent[];
  /** Why the answer cannot be used, whatever it says; null when it came whole. */
  readonly cutShort: string | null;
}

/** Ends of an answer that make it unusable whatever it says. */
const cutShort: Partial<Record<ModelTurn['finishReason'], string>> = {
  length: 'It was cut off at the output limit: be shorter.',
  'content-filter': 'It was withheld by the provider.',
};

/** Lets the model answer once. Its words go out live as they come. */
export async function takeTurn<Role extends AgentRole>(
  run: RoleRun<Role>,
  conversation: Conversation,
  context: AgentContext,
): Promise<AgentTurn> {
  const turn = withUniqueIds(await hear(run, conversation, context));
  return {
    entries: entriesOf(turn, run.choice),
    events: eventsOf(run.definition.role, turn),
    cutShort: cutShort[turn.finishReason] ?? null,
  };
}

async function hear<Role extends AgentRole>(
  run: RoleRun<Role>,
  conversation: Conversation,
  context: AgentContext,
): Promise<ModelTurn> {
  const { definition, choice, instructions, turnTimeoutMs } = run;
  const live = liveText(context, definition.role);
  let said = '';
  try {
    return await modelTurn({
      model: choice.model,
      instructions: conversation.instructions ?? instructions,
      messages: conversation.messages,
      tools: definition.tools,
      answer: definition.answer,
      signal: context.signal,
      timeoutMs: turnTimeoutMs,
      onText(text) {
        said += text;
        // A structured answer is for programs: people get its summary as a message when it is whole.
        if (definition.answer.name === null || !/^\s*(?:[{[`]|$)/.test(said)) live.add(text);
      },
    });
  } finally {
    live.end();
  }
}

/** Gives calls of one answer that share an id ids of their own: a result must belong to one of them. */
function withUniqueIds(turn: ModelTurn): ModelTurn {
  const messages = turn.messages.map((message) => {
    if (message.role === 'system' || message.role === 'user' || typeof message.content === 'string') return message;
    const seen = new Map<string, number>();
    const content = message.content.map((part) => {
      if (part.type !== (message.role === 'tool' ? 'tool-result' : 'tool-call')) return part;
      const count = (seen.get(part.toolCallId) ?? 0) + 1;
      seen.set(part.toolCallId, count);
      return count === 1 ? part : { ...part, toolCallId: `${part.toolCallId}_${count}` };
    });
    return { ...message, content } as ModelMessage;
  });
  return { ...turn, messages };
}

function entriesOf(turn: ModelTurn, choice: ModelChoice): JournalEntry[] {
  const messages = turn.messages.length > 0 ? turn.messages : [{ role: 'assistant', content: [] }];
  return [
    ...messages.map((message): JournalEntry => ({ kind: 'message', message: plainJson(message) })),
    { kind: 'usage', usage: usageOf(turn.usage, choice) },
  ];
}

function usageOf(used: LanguageModelUsage, choice: ModelChoice): Usage {
  return {
    input_tokens: used.inputTokens ?? 0,
    output_tokens: used.outputTokens ?? 0,
    cost_usd: choice.costUsd?.(used) ?? null,
  };
}

function eventsOf(role: AgentRole, turn: ModelTurn): NewEvent[] {
  return turn.messages.flatMap((message): NewEvent[] => {
    if (typeof message.content === 'string') return [messageEvent(role, message.content)];
    return message.content.flatMap((part): NewEvent[] => {
      if (part.type === 'text') return part.text.trim() === '' ? [] : [messageEvent(role, part.text)];
      if (part.type === 'tool-call') return [toolCallEvent(role, part)];
      return part.type === 'tool-result' ? [toolResultEvent(role, part)] : [];
    });
  });
}
