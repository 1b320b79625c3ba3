import { createHash } from 'node:crypto';
import type { AssistantModelMessage, ModelMessage, TextPart, ToolCallPart, ToolResultPart } from 'ai';
import type { ModelChoice } from './model-choice.ts';

const MARK = 'sluice';

/** The most that every vendor takes as the id of a call. */
const COMMON_ID = /^[\w-]{1,64}$/;

/** Notes with a model's messages who made them: signed and encrypted parts can be read by their maker alone. */
export function madeBy({ name }: ModelChoice, messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, providerOptions: { ...message.providerOptions, [MARK]: { model: name } } }
      : message,
  );
}

/** The configured name of the model whose message it is; null where nothing notes it. */
export function makerOf({ providerOptions }: AssistantModelMessage): string | null {
  const name = providerOptions?.[MARK]?.model;
  return typeof name === 'string' ? name : null;
}

/**
 * Messages as a model may be sent them: its own as they were, those of other models without what only those understand
 * (thoughts, signatures, ids in the vendor's storage, odd ids of calls).
 */
export function readableBy({ name }: ModelChoice, messages: readonly ModelMessage[]): ModelMessage[] {
  const newIds = new Map<string, string>();
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') {
      const content = message.content.map((part) => (part.type === 'tool-result' ? renamed(part, newIds) : part));
      return [{ ...message, content }];
    }
    if (message.role !== 'assistant') return [message];
    const { [MARK]: _, ...own } = message.providerOptions ?? {};
    const said = makerOf(message) === name ? withOptions(message, own) : plainly(message, newIds);
    return withoutBlanks(said);
  });
}

function plainly({ content }: AssistantModelMessage, newIds: Map<string, string>): AssistantModelMessage {
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

/** Anthropic refuses words that are nothing but white space, those that it said itself too. */
function withoutBlanks(message: AssistantModelMessage): AssistantModelMessage[] {
  if (typeof message.content === 'string') return message.content.trim() === '' ? [] : [message];
  const content = message.content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return content.length === 0 ? [] : [{ ...message, content }];
}

function renamed<Part extends ToolCallPart | ToolResultPart>(part: Part, newIds: Map<string, string>): Part {
  return { ...part, toolCallId: newIds.get(part.toolCallId) ?? part.toolCallId };
}

function withOptions(
  { providerOptions: _, ...message }: AssistantModelMessage,
  own: NonNullable<AssistantModelMessage['providerOptions']>,
): AssistantModelMessage {
  return Object.keys(own).length === 0 ? message : { ...message, providerOptions: own };
}
