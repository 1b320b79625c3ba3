import type { AgentContext, AgentRole, JournalEntry } from '@sluice/core/agent';
import type { AppError } from '@sluice/core/error';
import type { NewEvent } from '@sluice/core/issue';
import { storableJson, storableText } from '@sluice/core/text';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { ModelRequest } from '../models/ask-model.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import { askWithFallback, type ModelTurn } from '../models/model-fallback.ts';
import { offeredTools, type RoleDefinition } from '../roles/role-definition.ts';
import { messageEvent, toolCallEvent, toolResultEvent } from './agent-events.ts';
import { requestTokens } from './context-window.ts';
import { sentMessages } from './conversation.ts';
import type { RoleExecution } from './role-execution.ts';
import { BYTES_PER_TOKEN } from './transcript.ts';

/** One answer of the model, ready to be recorded. */
export interface AgentTurn {
  readonly entries: readonly JournalEntry[];
  /** Messages of the service about the answer. */
  readonly serviceEvents: readonly NewEvent[];
  /** The answer itself. */
  readonly events: readonly NewEvent[];
  /** Why the answer cannot be used, whatever its content; null when it is complete. */
  readonly cutShort: string | null;
  /** The error that ends the stage once the usage is recorded; null for an answer. */
  readonly withheld: AppError | null;
}

const CUT_OFF = 'It was cut off at the output limit: be shorter.';

const CALL_CUT_OFF =
  'The answer was cut off at the output limit before this call was complete; nothing was done. Be shorter: make one smaller call at a time.';

/** Lets the model answer once, and streams its text as it arrives. */
export async function takeTurn<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<AgentTurn> {
  const cuts: CutAnswer[] = [];
  let given: ModelTurn;
  try {
    given = await askModelOf(execution, (characters, choice) => cuts.push({ characters, choice }));
  } finally {
    await bookCuts(execution, cuts);
  }
  const turn = withHelpfulRefusals(execution, given);
  const isWithheld = turn.withheld !== null;
  return {
    // A withheld answer is not recorded, so that the next request starts from the same point.
    entries: [...(isWithheld ? [] : messageEntries(turn)), usageEntry(turn)],
    serviceEvents: [...fallbackEvents(turn), ...noticeEvents(execution, turn)],
    events: isWithheld ? [] : answerEvents(execution.setup.definition, turn),
    cutShort: turn.finishReason === 'length' ? CUT_OFF : null,
    withheld: turn.withheld,
  };
}

async function askModelOf<Role extends AgentRole>(
  { setup, context, record }: RoleExecution<Role>,
  onCut: NonNullable<ModelRequest['onCut']>,
): Promise<ModelTurn> {
  const { definition, instructions, choices, cooldown, timeouts, maxRetries } = setup;
  const { answer } = definition;
  const conversation = record.now();
  const live = liveText(context, definition.role);
  let text = '';
  let speaker: ModelChoice | null = null;
  try {
    return await askWithFallback({
      choices,
      cooldown,
      timeouts,
      maxRetries,
      instructions: conversation.instructions ?? instructions,
      messages: sentMessages(conversation),
      tools: offeredTools(definition),
      // By a tool, the answer needs no other form; several servers stop calling tools when they are given one.
      answer: answer.tool === null ? answer : { name: null, schema: answer.schema },
      cacheKey: context.workspace.issueId,
      signal: context.signal,
      beforeCall: () => context.beforeModelCall(),
      readPicture: async (id) => (await context.attachments?.content(id)) ?? null,
      onCut,
      onText(delta, choice) {
        text = choice === speaker ? text + delta : delta;
        speaker = choice;
        // A structured answer is for programs: people get its summary as a message when it is complete.
        if (answer.name === null || !/^\s*(?:[{[`]|$)/.test(text)) live.add(delta);
      },
    });
  } finally {
    live.end();
  }
}

/** An answer that broke off in the middle. */
interface CutAnswer {
  readonly characters: number;
  readonly choice: ModelChoice;
}

/** Books answers that broke off, by estimate: no provider counts them for us, and all bill them. */
async function bookCuts<Role extends AgentRole>(
  { setup, record }: RoleExecution<Role>,
  cuts: readonly CutAnswer[],
): Promise<void> {
  for (const { characters, choice } of cuts) {
    const inputTokens = Math.round(requestTokens(record.now(), setup.definition.tools.length));
    const outputTokens = Math.ceil(characters / BYTES_PER_TOKEN);
    const cost_usd = choice.costUsd({
      ...UNCOUNTED,
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
    });
    const usage = { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd };
    const text = `An answer of ${choice.name} broke off. It counts, by estimate: about ${inputTokens} tokens read and ${outputTokens} written.`;
    await record.write({
      entries: [{ kind: 'usage', usage, model: choice.name, isEstimate: true }],
      events: [messageEvent('service', text)],
    });
  }
}

const UNCOUNTED = {
  inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
  outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
};

/** Replaces the SDK's results for calls that it could not parse with ones that help the model. */
function withHelpfulRefusals<Role extends AgentRole>({ setup }: RoleExecution<Role>, turn: ModelTurn): ModelTurn {
  const tools = offeredTools(setup.definition);
  return {
    ...turn,
    messages: turn.messages.map((message) => {
      if (message.role !== 'tool') return message;
      const content = message.content.map((part): typeof part => {
        if (part.type !== 'tool-result') return part;
        const value = turn.finishReason === 'length' ? CALL_CUT_OFF : unreadableCall(tools, part);
        return { ...part, output: { type: 'error-text', value } };
      });
      return { ...message, content };
    }),
  };
}

/** Why a call could not be read at all: there is no such tool, or its input is not valid JSON. */
function unreadableCall(tools: readonly { readonly name: string }[], { toolName }: ToolResultPart): string {
  const names = tools.map(({ name }) => name);
  if (!names.includes(toolName)) return `There is no tool "${toolName}". The tools are: ${names.join(', ')}.`;
  return `${toolName} was not run: its input is not valid JSON. Give one JSON object, with quotes and line breaks in its texts escaped.`;
}

function messageEntries({ messages }: ModelTurn): JournalEntry[] {
  const all = messages.length > 0 ? messages : [{ role: 'assistant', content: [] }];
  return all.map((message): JournalEntry => ({ kind: 'message', message: storableJson(message) }));
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

function fallbackEvents({ skipped, choice }: ModelTurn): NewEvent[] {
  return skipped.map(({ name, reason }) =>
    messageEvent('service', `${name} was skipped. ${reason} ${choice.name} answered instead.`),
  );
}

/** A model that is asked in another form than was set: told when it begins, and once a stage after that. */
function noticeEvents<Role extends AgentRole>(
  { record }: RoleExecution<Role>,
  { notice, choice }: ModelTurn,
): NewEvent[] {
  if (notice === null || (!notice.isNew && record.now().models.includes(choice.name))) return [];
  return [messageEvent('service', `The server of ${choice.name} ${notice.text}.`)];
}

/** The answer itself is shown when it is taken. */
function answerEvents<Role extends AgentRole>(
  { role, answer }: RoleDefinition<Role>,
  { messages }: { messages: readonly ModelMessage[] },
): NewEvent[] {
  return messages.flatMap((message): NewEvent[] => {
    if (typeof message.content === 'string') return [messageEvent(role, message.content)];
    return message.content.flatMap((part): NewEvent[] => {
      if (part.type === 'text') return part.text.trim() === '' ? [] : [messageEvent(role, part.text)];
      if (part.type === 'tool-call') return part.toolName === answer.tool?.name ? [] : [toolCallEvent(role, part)];
      return part.type === 'tool-result' ? [toolResultEvent(role, part)] : [];
    });
  });
}

const COALESCE_MS = 80; // fast enough to look live, slow enough that a fast model does not flood the stream

/** Streams a model's text as it arrives, in batches. `end` sends the rest. */
export function liveText(
  context: Pick<AgentContext, 'live'>,
  agent: AgentRole,
): { add(text: string): void; end(): void } {
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const send = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting !== '') context.live({ type: 'agent.delta', data: { agent, text: storableText(waiting) } });
    waiting = '';
  };
  return {
    add(text) {
      waiting += text;
      timer ??= setTimeout(send, COALESCE_MS);
    },
    end: send,
  };
}
