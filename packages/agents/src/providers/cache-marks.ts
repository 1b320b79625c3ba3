import type { ModelMessage } from 'ai';

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks for Anthropic's prompt cache: on the instructions, which the tools go before, and on the last message, so that
 * the next turn reads all that this one has sent at a tenth of its price. The other vendors cache by themselves.
 */
export function withCacheMarks(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, at) =>
    message.role === 'system' || at === messages.length - 1
      ? { ...message, providerOptions: { ...message.providerOptions, ...MARK } }
      : message,
  );
}
