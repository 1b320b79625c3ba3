// Demands that several vendors of chat completions make, each with the words of the one who makes it.
import type { Cited, Json, Refusal, Rule } from './wire-server.ts';

const assistants = (body: Json) =>
  (body.messages as Json[])
    .map((message, index) => ({ message, index }))
    .filter(({ message }) => message.role === 'assistant');

/** Members that a request of chat completions has at every vendor that is described here. */
export const plainMembers = [
  ...['model', 'messages', 'stream', 'temperature', 'top_p', 'stop', 'tools', 'tool_choice', 'response_format'],
  ...['max_tokens', 'frequency_penalty', 'presence_penalty'],
];

export const plainMessage = {
  system: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
} as const;

type MessageMembers = Readonly<Record<string, readonly string[]>>;

interface Unknown {
  readonly name: string;
  readonly value: unknown;
}

/** A request has only members of the list. */
export function onlyMembers(cited: Cited, members: readonly string[], refusal: (unknown: Unknown) => Refusal): Rule {
  return {
    ...cited,
    demands: `a request has only these members: ${members.join(', ')}`,
    refuse(body) {
      const name = Object.keys(body).find((one) => !members.includes(one));
      return name === undefined ? null : refusal({ name, value: body[name] });
    },
  };
}

/** A message has only the members of its role. */
export function onlyMessageMembers(
  cited: Cited,
  members: MessageMembers,
  refusal: (unknown: Unknown & { index: number; role: string }) => Refusal,
): Rule {
  return {
    ...cited,
    demands: `an assistant message has only these members: ${members.assistant?.join(', ')}`,
    refuse(body) {
      for (const [index, message] of (body.messages as Json[]).entries()) {
        const role = String(message.role);
        const name = Object.keys(message).find((one) => !(members[role] ?? []).includes(one));
        if (name !== undefined) return refusal({ name, value: message[name], index, role });
      }
      return null;
    },
  };
}

/** A member, if it is there, has one of these values. */
export function oneOf(
  cited: Cited,
  [path, values]: readonly [path: string, values: readonly unknown[]],
  refusal: (value: unknown) => Refusal,
): Rule {
  return {
    ...cited,
    demands: `\`${path}\` is one of ${values.join(', ')}`,
    refuse(body) {
      const value = path.split('.').reduce<Json>((at, member) => at?.[member], body);
      return value === undefined || values.includes(value) ? null : refusal(value);
    },
  };
}

/** While the model thinks, each assistant message with tool calls carries a thought. A server that signs nothing cannot tell which. */
export function thoughtWithCalls(
  cited: Cited,
  { thinks, member }: { thinks(body: Json): boolean; member: string },
  refusal: (index: number) => Refusal,
): Rule {
  return {
    ...cited,
    demands: `while the model thinks, each assistant message with tool calls carries \`${member}\``,
    refuse(body) {
      if (!thinks(body)) return null;
      const without = assistants(body).find(
        ({ message }) => (message.tool_calls ?? []).length > 0 && typeof message[member] !== 'string',
      );
      return without === undefined ? null : refusal(without.index);
    },
  };
}

/** While the model thinks, no tool may be forced. */
export function noForcedTool(
  cited: Cited,
  thinks: (body: Json) => boolean,
  refusal: (kind: 'required' | 'specified') => Refusal,
): Rule {
  return {
    ...cited,
    demands: 'while the model thinks, `tool_choice` is auto or none',
    refuse(body) {
      if (!thinks(body)) return null;
      if (typeof body.tool_choice === 'object' && body.tool_choice !== null) return refusal('specified');
      return body.tool_choice === 'required' || body.tool_choice === 'any' ? refusal('required') : null;
    },
  };
}

/** Each tool call has its result right behind it, and each result its call. */
export function callsAreAnswered(cited: Cited): Rule {
  return {
    ...cited,
    demands: 'an assistant message with tool calls is followed by a tool message for each of them',
    refuse(body) {
      const messages = body.messages as Json[];
      let open: string[] = [];
      for (const message of messages) {
        if (message.role === 'tool') {
          if (!open.includes(message.tool_call_id)) return badRequest(noCall);
          open = open.filter((id) => id !== message.tool_call_id);
          continue;
        }
        if (open.length > 0) return badRequest(`${noResult} ${open.join(', ')}`);
        open = (message.tool_calls ?? []).map((call: Json) => String(call.id));
      }
      return open.length > 0 ? badRequest(`${noResult} ${open.join(', ')}`) : null;
    },
  };
}

const noCall =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
const noResult =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages:";

export const badRequest = (message: string, more: Partial<Refusal> = {}): Refusal => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  ...more,
});

/** OpenAI's form of an error, which most of its imitators keep. */
export const openAiError = ({ message, type, param, code, more }: Refusal) => ({
  error: { message, type: type ?? 'invalid_request_error', param: param ?? null, code: code ?? null, ...more },
});

/** OpenAI's usage, with thinking tokens among those of the answer. */
export const openAiUsage = ({ input, thinking, output }: { input: number; thinking: number; output: number }) => ({
  prompt_tokens: input,
  completion_tokens: thinking + output,
  total_tokens: input + thinking + output,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: thinking },
});
