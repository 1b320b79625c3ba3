import * as z from 'zod';

/** The parts of a request to chat completions that a model reads. */
export const chatBody = z.looseObject({
  stream: z.boolean().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});
export type ChatBody = z.infer<typeof chatBody>;

/**
 * The text of a request, in the order in which vendors put it together: the tools, then the messages. Only the
 * beginning that two requests share can be read from a prompt cache.
 */
export function promptText({ tools = [], messages }: ChatBody): string {
  return [JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))].join('\n');
}

/** The number of characters with which both texts begin. */
export function sharedPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
