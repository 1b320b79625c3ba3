import { createHash } from 'node:crypto';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import {
  type AssistantModelMessage,
  type ModelMessage,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  wrapLanguageModel,
} from 'ai';
import { KEPT, type KeptMark, keptMarkOf } from './kept-mark.ts';
import type { ModelChoice } from './model-choice.ts';

/** The call ids that every vendor accepts. */
const COMMON_ID = /^[\w-]{1,64}$/;

/**
 * Marks messages with the model that made them, and what was kept of their raw form: only that model, at the same server,
 * can read their signed and encrypted parts.
 */
export function withMaker(
  { name, server }: Maker,
  messages: readonly ModelMessage[],
  kept: KeptMark = {},
): ModelMessage[] {
  const mark = { model: name, ...(server !== undefined && { server }), ...kept };
  return messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, providerOptions: { ...message.providerOptions, [KEPT]: mark } }
      : message,
  );
}

type Maker = Pick<ModelChoice, 'name' | 'server'>;

/** Whether this model at this server made a message. Messages of older releases do not name the server. */
function isMadeBy({ name, server }: Maker, message: AssistantModelMessage): boolean {
  const at = message.providerOptions?.[KEPT]?.server;
  return makerOf(message) === name && (at === undefined || at === server);
}

/** The configured name of the model that made a message; null when the message has no mark. */
export function makerOf({ providerOptions }: AssistantModelMessage): string | null {
  const name = providerOptions?.[KEPT]?.model;
  return typeof name === 'string' ? name : null;
}

/**
 * Messages in the form that a model accepts: its own unchanged, those of other models without the parts that only their
 * maker understands (reasoning, signatures, ids in the vendor's storage, unusual call ids).
 */
export function readableBy(maker: Maker, messages: readonly ModelMessage[]): ModelMessage[] {
  const newIds = new Map<string, string>();
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') {
      const content = message.content.map((part) => (part.type === 'tool-result' ? renamed(part, newIds) : part));
      return [{ ...message, content }];
    }
    if (message.role !== 'assistant') return [message];
    return withoutBlanks(isMadeBy(maker, message) ? asMade(message) : plain(message, newIds));
  });
}

function plain({ content }: AssistantModelMessage, newIds: Map<string, string>): AssistantModelMessage {
  if (typeof content === 'string') return { role: 'assistant', content };
  const parts = content.flatMap((part): (TextPart | ToolCallPart)[] => {
    if (part.type === 'text') return [{ type: part.type, text: part.text }];
    if (part.type !== 'tool-call') return [];
    const { toolCallId: id, toolName, input } = part;
    if (!COMMON_ID.test(id)) newIds.set(id, `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`);
    return [renamed({ type: part.type, toolCallId: id, toolName, input }, newIds)];
  });
  return { role: 'assistant', content: parts };
}

/** Anthropic rejects text that is only white space, even in its own messages. */
function withoutBlanks(message: AssistantModelMessage): AssistantModelMessage[] {
  if (typeof message.content === 'string') return message.content.trim() === '' ? [] : [message];
  const content = message.content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return content.length === 0 ? [] : [{ ...message, content }];
}

function renamed<Part extends ToolCallPart | ToolResultPart>(part: Part, newIds: Map<string, string>): Part {
  return { ...part, toolCallId: newIds.get(part.toolCallId) ?? part.toolCallId };
}

/** A message for its maker: of our note, only what was kept of its raw form goes on. */
function asMade({ providerOptions = {}, ...message }: AssistantModelMessage): AssistantModelMessage {
  const { [KEPT]: _, ...others } = providerOptions;
  const kept = keptMarkOf(providerOptions);
  const own = { ...others, ...(kept !== null && { [KEPT]: { ...kept } }) };
  return Object.keys(own).length === 0 ? message : { ...message, providerOptions: own };
}

/**
 * The same model with a unique id for each call of an answer, because some servers repeat an id or send none, and a
 * result must belong to one call. It wraps the model so that the SDK's own results get the right ids too.
 */
export function withUniqueCallIds(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        return { ...rest, stream: stream.pipeThrough(uniqueIds()) };
      },
    },
  });
}

function uniqueIds(): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const taken = new Set<string>();
  const unique = (given: string): string => {
    const base = given || 'call';
    let id = base;
    for (let count = 2; taken.has(id); count += 1) id = `${base}_${count}`;
    taken.add(id);
    return id;
  };
  return new TransformStream({
    transform(part, controller) {
      controller.enqueue(part.type === 'tool-call' ? { ...part, toolCallId: unique(part.toolCallId) } : part);
    },
  });
}
