import type { AgentRole, AppError, JournalEntry, NewEvent } from '@sluice/core';
import type { ModelMessage } from 'ai';
import { messageEvent, toolCallEvent, toolResultEvent } from './agent-events.ts';
import { sentMessages } from './conversation.ts';
import { liveText } from './live-text.ts';
import type { ModelChoice } from './model-choice.ts';
import { type ModelTurn, modelTurn } from './model-turn.ts';
import { plainJson } from './plain-json.ts';
import type { RoleWork } from './role-run.ts';
import { wellFormedTurn } from './well-formed-turn.ts';

/** One answer of the model, ready to be written down. */
export interface AgentTurn {
  readonly entries: readonly JournalEntry[];
  /** What the service has to say about it. */
  readonly told: readonly NewEvent[];
  /** What it says itself. */
  readonly events: readonly NewEvent[];
  /** Why the answer cannot be used, whatever it says; null when it came whole. */
  readonly cutShort: string | null;
  /** What the stage ends with once the usage is written down; null for an answer. */
  readonly withheld: AppError | null;
}

const CUT_OFF = 'It was cut off at the output limit: be shorter.';

/** Lets the model answer once. Its words go out live as they come. */
export async function takeTurn<Role extends AgentRole>(work: RoleWork<Role>): Promise<AgentTurn> {
  const turn = wellFormedTurn(work.record.now(), await hear(work));
  const { role } = work.run.definition;
  const isWithheld = turn.withheld !== null;
  return {
    // Nothing of a withheld answer can be gone on with: asked again, the model begins anew.
    entries: [...(isWithheld ? [] : messageEntries(turn)), usageEntry(turn)],
    told: passedOverEvents(turn),
    events: isWithheld ? [] : answerEvents(role, turn),
    cutShort: turn.finishReason === 'length' ? CUT_OFF : null,
    withheld: turn.withheld,
  };
}

async function hear<Role extends AgentRole>({ run, context, record }: RoleWork<Role>): Promise<ModelTurn> {
  const { definition, instructions, choices, away, timeouts, maxRetries } = run;
  const conversation = record.now();
  const live = liveText(context, definition.role);
  let said = '';
  let speaker: ModelChoice | null = null;
  try {
    return await modelTurn({
      choices,
      away,
      timeouts,
      maxRetries,
      instructions: conversation.instructions ?? instructions,
      messages: sentMessages(conversation),
      tools: definition.tools,
      answer: definition.answer,
      signal: context.signal,
      onText(text, choice) {
        said = choice === speaker ? said + text : text;
        speaker = choice;
        // A structured answer is for programs: people get its summary as a message when it is whole.
        if (definition.answer.name === null || !/^\s*(?:[{[`]|$)/.test(said)) live.add(text);
      },
    });
  } finally {
    live.end();
  }
}

function messageEntries({ messages }: ModelTurn): JournalEntry[] {
  const all = messages.length > 0 ? messages : [{ role: 'assistant', content: [] }];
  return all.map((message): JournalEntry => ({ kind: 'message', message: plainJson(message) }));
}

function usageEntry({ usage, choice }: ModelTurn): JournalEntry {
  return {
    kind: 'usage',
    usage: {
      input_tokens: usage.inputTokens ?? 0,
      output_tokens: usage.outputTokens ?? 0,
      cost_usd: choice.costUsd(usage),
    },
    model: choice.name,
  };
}

function passedOverEvents({ passedOver, choice }: ModelTurn): NewEvent[] {
  return passedOver.map(({ name, reason }) =>
    messageEvent('service', `${name} was passed over. ${reason} ${choice.name} answered instead.`),
  );
}

function answerEvents(role: AgentRole, { messages }: { messages: readonly ModelMessage[] }): NewEvent[] {
  return messages.flatMap((message): NewEvent[] => {
    if (typeof message.content === 'string') return [messageEvent(role, message.content)];
    return message.content.flatMap((part): NewEvent[] => {
      if (part.type === 'text') return part.text.trim() === '' ? [] : [messageEvent(role, part.text)];
      if (part.type === 'tool-call') return [toolCallEvent(role, part)];
      return part.type === 'tool-result' ? [toolResultEvent(role, part)] : [];
    });
  });
}
