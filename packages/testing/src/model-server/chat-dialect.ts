// OpenAI's chat completions, with the places in which its imitators put thoughts.
import {
  type Conversation,
  type Dialect,
  type Json,
  piecesOf,
  type Replayed,
  signatureFor,
  type Tokens,
  type Turn,
  type Written,
} from './wire-server.ts';

/**
 * The member that holds a thought: a string (`reasoning_content`, `reasoning`), a list with signatures
 * (`reasoning_details` as OpenRouter sends it, `minimax_details` as MiniMax does, `thinking_blocks` of LiteLLM), content
 * parts (Mistral), or nothing of its own (`think_tags`).
 */
type ThoughtPlace =
  | 'reasoning_content'
  | 'reasoning'
  | 'reasoning_details'
  | 'minimax_details'
  | 'thinking_blocks'
  | 'content_parts'
  | 'think_tags';

interface ChatForm {
  readonly server: string;
  /** Where a thought stands, for such a request. */
  place(body: Json): ThoughtPlace;
  /** Whether arguments of a call stream in pieces or come whole. */
  readonly calls: 'pieces' | 'whole';
  /** Whether usage comes in a chunk of its own, always or if it is asked for, or with the end of the answer. */
  readonly usage: 'always' | 'asked' | 'at the end';
  /** Members of the chunk that ends the answer. */
  ending?(usage: Record<string, unknown>): Record<string, unknown>;
  callId(number: number, index: number): string;
  usageOf(tokens: Tokens): Record<string, unknown>;
  /** Further members of each chunk. */
  readonly chunk?: Readonly<Record<string, unknown>>;
  /** A comment with which the stream begins. */
  readonly comment?: string;
}

const partsText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: Json) => (part.type === 'text' ? String(part.text) : '')).join('')
      : '';

/** A value with its members in one order, so that two of them are compared by what they hold. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

const listPlaces = {
  reasoning_details: 'reasoning_details',
  minimax_details: 'reasoning_details',
  thinking_blocks: 'thinking_blocks',
} as const;

/** The thought of an assistant message, whichever member holds it. */
function thoughtIn(message: Json): string | null {
  for (const list of ['reasoning_details', 'thinking_blocks']) {
    if (Array.isArray(message[list]) && message[list].length > 0) return canonical(message[list]);
  }
  for (const name of ['reasoning_content', 'reasoning']) {
    if (typeof message[name] === 'string') return message[name];
  }
  if (Array.isArray(message.content)) {
    const thinking = message.content.filter((part: Json) => part.type === 'thinking');
    if (thinking.length > 0) return thinking.map((part: Json) => partsText(part.thinking)).join('');
  }
  const tagged = /^\s*<think>([\s\S]*?)<\/think>/.exec(partsText(message.content));
  return tagged === null ? null : (tagged[1] ?? '');
}

export function chatDialect(form: ChatForm): Dialect {
  return {
    contentType: 'text/event-stream',
    isStreamed: (body) => body.stream === true,
    conversation: conversationOf,
    replayed: (body) =>
      (body.messages as Json[])
        .filter((message) => message.role === 'assistant')
        .map(
          (message): Replayed => ({
            callIds: (message.tool_calls ?? []).map((call: Json) => String(call.id)),
            thought: thoughtIn(message),
          }),
        ),
    write: (turn, asked) => writeChat(form, turn, asked),
  };
}

function conversationOf(body: Json): Conversation {
  const messages = body.messages as Json[];
  const textsOf = (role: string) =>
    messages.filter((message) => message.role === role).map(({ content }) => partsText(content));
  return {
    system: [...textsOf('system'), ...textsOf('developer')].join('\n'),
    users: textsOf('user'),
    results: textsOf('tool'),
    tools: (body.tools ?? []).map((tool: Json) => String(tool.function.name)),
    answers: messages.filter(({ role }) => role === 'assistant').length,
    schema: body.response_format?.json_schema?.schema,
  };
}

function writeChat(form: ChatForm, turn: Turn, asked: { body: Json; number: number; tokens: Tokens }): Written {
  const { body, number, tokens } = asked;
  const place = form.place(body);
  const thought = turn.thought ?? null;
  const calls = (turn.calls ?? []).map((call, index) => ({
    id: form.callId(number, index),
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }));
  const signature = thought === null ? '' : signatureFor(form.server, number, thought);
  const list = listOf(place, thought, signature);
  const text = place === 'think_tags' && thought !== null ? `<think>${thought}</think>${turn.text ?? ''}` : turn.text;
  const finish = calls.length > 0 ? 'tool_calls' : 'stop';
  const base = {
    id: `chatcmpl-${form.server}-${number}`,
    created: 1_796_000_000,
    model: body.model,
    ...form.chunk,
  };
  const delta = (value: Record<string, unknown>, finishReason: string | null = null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: value, finish_reason: finishReason, logprobs: null }],
  });
  const chunks: unknown[] = [delta({ role: 'assistant', content: '' })];
  if (thought !== null) chunks.push(...thoughtDeltas(place, thought, signature).map((one) => delta(one)));
  for (const piece of text ? piecesOf(text) : []) chunks.push(delta({ content: piece }));
  calls.forEach((call, index) => {
    if (form.calls === 'whole') {
      chunks.push(delta({ tool_calls: [{ index, ...call }] }));
      return;
    }
    chunks.push(delta({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] }));
    for (const piece of piecesOf(call.function.arguments)) {
      chunks.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  });
  const usage = form.usageOf(tokens);
  chunks.push({ ...delta({}, finish), ...(form.usage === 'at the end' && { usage }), ...form.ending?.(usage) });
  if (form.usage === 'always' || body.stream_options?.include_usage === true) {
    chunks.push({ ...base, object: 'chat.completion.chunk', choices: [], usage });
  }
  return {
    frames: [
      ...(form.comment === undefined ? [] : [`: ${form.comment}\n\n`]),
      ...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`),
      'data: [DONE]\n\n',
    ],
    whole: {
      ...base,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: finish,
          message: {
            role: 'assistant',
            content: wholeContent(place, thought, text ?? null),
            ...wholeThought(place, thought, list),
            ...(calls.length > 0 && { tool_calls: calls }),
          },
        },
      ],
      usage,
    },
    callIds: calls.map(({ id }) => id),
    kept: thought === null ? null : list === null ? thought : canonical(list),
    signatures: signature === '' ? [] : [signature],
  };
}

/** The list that holds a thought once the stream is put together. */
function listOf(place: ThoughtPlace, thought: string | null, signature: string): unknown[] | null {
  if (thought === null) return null;
  if (place === 'reasoning_details') {
    return [{ type: 'reasoning.text', text: thought, signature, format: 'anthropic-claude-v1', index: 0 }];
  }
  if (place === 'minimax_details') {
    return [{ type: 'reasoning.text', id: 'reasoning-text-1', format: 'MiniMax-response-v1', index: 0, text: thought }];
  }
  return place === 'thinking_blocks' ? [{ type: 'thinking', thinking: thought, signature }] : null;
}

function thoughtDeltas(place: ThoughtPlace, thought: string, signature: string): Record<string, unknown>[] {
  const pieces = piecesOf(thought);
  switch (place) {
    case 'reasoning_content':
    case 'reasoning':
      return pieces.map((piece) => ({ [place]: piece }));
    case 'reasoning_details': {
      const entry = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
      return [
        ...pieces.map((piece) => ({ reasoning: piece, reasoning_details: [{ ...entry, text: piece }] })),
        { reasoning_details: [{ ...entry, signature }] },
      ];
    }
    case 'minimax_details': {
      // The text of each chunk repeats what came before.
      const entry = { type: 'reasoning.text', id: 'reasoning-text-1', format: 'MiniMax-response-v1', index: 0 };
      return pieces.map((_, at) => ({ reasoning_details: [{ ...entry, text: pieces.slice(0, at + 1).join('') }] }));
    }
    case 'thinking_blocks':
      return [
        ...pieces.map((piece) => ({
          reasoning_content: piece,
          thinking_blocks: [{ type: 'thinking', thinking: piece, signature: null }],
        })),
        { reasoning_content: '', thinking_blocks: [{ type: 'thinking', thinking: '', signature }] },
      ];
    case 'content_parts':
      return pieces.map((piece) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: piece }] }] }));
    case 'think_tags':
      return [];
  }
}

function wholeThought(place: ThoughtPlace, thought: string | null, list: unknown[] | null): Record<string, unknown> {
  if (thought === null || place === 'think_tags' || place === 'content_parts') return {};
  return place === 'reasoning_content' || place === 'reasoning' ? { [place]: thought } : { [listPlaces[place]]: list };
}

function wholeContent(place: ThoughtPlace, thought: string | null, text: string | null): unknown {
  if (place !== 'content_parts' || thought === null) return text;
  return [
    { type: 'thinking', thinking: [{ type: 'text', text: thought }], closed: true },
    ...(text === null ? [] : [{ type: 'text', text }]),
  ];
}

/** The path of chat completions, whatever stands before it. */
export const chatPath = /\/chat\/completions$/;

export const usualCallId = (number: number, index: number): string => `call_${number}x${index}`;
