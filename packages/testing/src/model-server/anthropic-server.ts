// Anthropic's Messages API, for a model that thinks adaptively and shows no text of its thoughts unless it is asked.
import {
  type Conversation,
  type Dialect,
  type Json,
  type Memory,
  piecesOf,
  type Refusal,
  type Replayed,
  signatureFor,
  type WireServer,
  type Written,
} from './wire-server.ts';

const reference = {
  source: 'https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/resources/messages/messages.ts',
};
const thinking = { source: 'https://platform.claude.com/docs/en/build-with-claude/thinking' };
const troubleshooting = { source: 'https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting.md' };

const invalid = (message: string): Refusal => ({ status: 400, message });
const thinks = (body: Json) => ['adaptive', 'enabled'].includes(body.thinking?.type);
const blocksOf = (message: Json): Json[] =>
  typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : ((content ?? []) as Json[]).map((part) => String(part.text ?? '')).join('');
const isThought = (block: Json) => block.type === 'thinking' || block.type === 'redacted_thinking';

const dialect: Dialect = {
  contentType: 'text/event-stream',
  isStreamed: (body) => body.stream === true,
  conversation(body): Conversation {
    const blocks = (body.messages as Json[]).flatMap((message) =>
      blocksOf(message).map((block) => ({ role: message.role, block })),
    );
    return {
      system: textIn(body.system),
      users: blocks
        .filter(({ role, block }) => role === 'user' && block.type === 'text')
        .map(({ block }) => block.text),
      results: blocks.filter(({ block }) => block.type === 'tool_result').map(({ block }) => textIn(block.content)),
      tools: ((body.tools ?? []) as Json[]).map((tool) => String(tool.name)),
      answers: (body.messages as Json[]).filter(({ role }) => role === 'assistant').length,
      schema: body.output_config?.format?.schema,
    };
  },
  replayed: (body) =>
    (body.messages as Json[])
      .filter(({ role }) => role === 'assistant')
      .map((message): Replayed => {
        const thoughts = blocksOf(message).filter(isThought);
        return {
          callIds: blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [String(block.id)] : [])),
          thought: thoughts.length === 0 ? null : thoughts.map((one) => `${one.thinking}|${one.signature}`).join('\n'),
        };
      }),
  write(turn, { body, number, tokens }): Written {
    const thought = turn.thought;
    const shown = body.thinking?.display === 'summarized' ? (thought ?? '') : '';
    const signature = thought === undefined ? '' : signatureFor('anthropic', number, thought);
    const content: Json[] = [
      ...(thought === undefined ? [] : [{ type: 'thinking', thinking: shown, signature }]),
      ...(turn.text ? [{ type: 'text', text: turn.text }] : []),
      ...(turn.calls ?? []).map((call, index) => ({
        type: 'tool_use',
        id: `toolu_${number}x${index}`,
        name: call.name,
        input: call.input,
      })),
    ];
    const stop = (turn.calls ?? []).length > 0 ? 'tool_use' : 'end_turn';
    const usage = {
      input_tokens: tokens.input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: tokens.thinking + tokens.output,
    };
    const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: body.model };
    const events: Json[] = [
      {
        type: 'message_start',
        message: {
          ...message,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      },
      { type: 'ping' },
      ...content.flatMap((block, index) => blockEvents(block, index)),
      { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    return {
      frames: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      whole: { ...message, content, stop_reason: stop, stop_sequence: null, usage },
      callIds: content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
      kept: thought === undefined ? null : `${shown}|${signature}`,
      signatures: signature === '' ? [] : [signature],
    };
  },
};

function blockEvents(block: Json, index: number): Json[] {
  const started: Json = {
    thinking: { type: 'thinking', thinking: '', signature: '' },
    text: { type: 'text', text: '' },
    tool_use: { ...block, input: {} },
  };
  const deltas: Json[] =
    block.type === 'thinking'
      ? [
          ...(block.thinking === '' ? [] : piecesOf(block.thinking)).map((piece) => ({
            type: 'thinking_delta',
            thinking: piece,
          })),
          { type: 'signature_delta', signature: block.signature },
        ]
      : block.type === 'text'
        ? piecesOf(block.text).map((piece) => ({ type: 'text_delta', text: piece }))
        : ['', ...piecesOf(JSON.stringify(block.input))].map((piece) => ({
            type: 'input_json_delta',
            partial_json: piece,
          }));
  return [
    { type: 'content_block_start', index, content_block: started[block.type] },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

const requestMembers = [
  ...['model', 'messages', 'max_tokens', 'system', 'metadata', 'stop_sequences', 'stream', 'temperature', 'top_k'],
  ...['top_p', 'tools', 'tool_choice', 'thinking', 'service_tier', 'container', 'output_config', 'cache_control'],
  ...['inference_geo', 'context_management', 'mcp_servers', 'speed'],
];

const blockMembers: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  image: ['type', 'source', 'cache_control'],
};

/** The first block of a request that a check finds fault with. */
function refuseBlock(
  body: Json,
  check: (block: Json, at: { message: number; block: number; isLast: boolean }) => string | null,
): Refusal | null {
  const messages = body.messages as Json[];
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  for (const [message, one] of messages.entries()) {
    for (const [block, content] of blocksOf(one).entries()) {
      const fault = check(content, { message, block, isLast: message === lastAnswer });
      if (fault !== null) return invalid(fault);
    }
  }
  return null;
}

const modified = ({ message, block }: { message: number; block: number }) =>
  `messages.${message}.content.${block}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;

/** The latest answer brings back the thought that it came with, before its tool calls and unchanged. */
function refuseModifiedThought(body: Json, memory: Memory): Refusal | null {
  const messages = body.messages as Json[];
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  if (at < 0) return null;
  const blocks = blocksOf(messages[at]);
  const call = blocks.find(({ type }) => type === 'tool_use');
  const sent = call === undefined ? undefined : memory.thoughtOf(call.id);
  if (typeof sent !== 'string') return null;
  const back = blocks
    .filter(isThought)
    .map((one) => `${one.thinking}|${one.signature}`)
    .join('\n');
  return back === sent && isThought(blocks[0]) ? null : invalid(modified({ message: at, block: 0 }));
}

function refuseUnpairedCalls(body: Json): Refusal | null {
  const messages = body.messages as Json[];
  for (const [index, message] of messages.entries()) {
    const calls = blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const next = messages[index + 1];
    const results = next === undefined ? [] : blocksOf(next).flatMap((block) => block.tool_use_id ?? []);
    const missing = calls.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      return invalid(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      );
    }
  }
  return null;
}

export const anthropic: WireServer = {
  name: 'anthropic',
  maker: 'Anthropic',
  model: 'claude-opus-4-7',
  path: /\/messages$/,
  dialect,
  thinks: { ...thinking, when: thinks },
  thoughtsBack: { ...troubleshooting, are: 'required' },
  rules: [
    {
      ...reference,
      demands: `a request has only these members: ${requestMembers.join(', ')}`,
      refuse(body) {
        const name = Object.keys(body).find((one) => !requestMembers.includes(one));
        return name === undefined ? null : invalid(`${name}: Extra inputs are not permitted`);
      },
    },
    {
      ...reference,
      demands: '`max_tokens` is there',
      refuse: (body) => (typeof body.max_tokens === 'number' ? null : invalid('max_tokens: Field required')),
    },
    {
      source: 'https://github.com/anthropics/claude-code/issues/4378',
      demands: 'a content block has only the members of its type',
      refuse: (body) =>
        refuseBlock(body, (block, at) => {
          const name = Object.keys(block).find((one) => !(blockMembers[block.type] ?? []).includes(one));
          return name === undefined
            ? null
            : `messages.${at.message}.content.${at.block}.${block.type}.${name}: Extra inputs are not permitted`;
        }),
    },
    {
      ...reference,
      wording: 'quoted',
      demands: 'a text block has text',
      refuse: (body) =>
        refuseBlock(body, (block) =>
          block.type === 'text' && block.text === '' ? 'messages: text content blocks must be non-empty' : null,
        ),
    },
    {
      ...troubleshooting,
      wording: 'quoted',
      demands: '`thinking.type` is adaptive or disabled: the model knows no budget of thinking tokens',
      refuse: (body) =>
        body.thinking?.type === 'enabled'
          ? invalid(
              '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
            )
          : null,
    },
    {
      ...thinking,
      wording: 'assumed',
      demands: '`output_config.effort` is low, medium, high, xhigh or max',
      refuse: (body) =>
        [undefined, 'low', 'medium', 'high', 'xhigh', 'max'].includes(body.output_config?.effort)
          ? null
          : invalid("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"),
    },
    {
      source: 'https://platform.claude.com/docs/en/about-claude/models/migration-guide',
      wording: 'quoted',
      demands: 'the model takes no `temperature`, `top_p` or `top_k`',
      refuse(body) {
        const name = ['temperature', 'top_p', 'top_k'].find((one) => body[one] !== undefined);
        return name === undefined ? null : invalid(`\`${name}\` is deprecated for this model.`);
      },
    },
    {
      ...thinking,
      wording: 'quoted',
      demands: 'while the model thinks, no tool is forced',
      refuse: (body) =>
        thinks(body) && ['any', 'tool'].includes(body.tool_choice?.type)
          ? invalid('Thinking may not be enabled when tool_choice forces tool use.')
          : null,
    },
    {
      ...troubleshooting,
      wording: 'quoted',
      demands: 'the signature of a thinking block is one that was sent',
      refuse: (body, memory) =>
        refuseBlock(body, (block, at) =>
          block.type === 'thinking' && !memory.issued(block.signature)
            ? `messages.${at.message}.content.${at.block}: Invalid \`signature\` in \`thinking\` block`
            : null,
        ),
    },
    {
      ...troubleshooting,
      demands: 'the latest answer brings back its thinking blocks as they were',
      refuse: refuseModifiedThought,
    },
    {
      ...reference,
      wording: 'quoted',
      demands: 'each tool call has its result in the next message',
      refuse: refuseUnpairedCalls,
    },
    {
      ...reference,
      wording: 'quoted',
      demands: 'the last message is of the user',
      refuse: (body) =>
        (body.messages as Json[]).at(-1)?.role === 'user'
          ? null
          : invalid(
              'This model does not support assistant message prefill. The conversation must end with a user message.',
            ),
    },
    {
      source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
      wording: 'quoted',
      demands: 'at most four breakpoints of the cache',
      refuse(body) {
        const found = JSON.stringify(body).split('"cache_control":{').length - 1;
        return found <= 4 ? null : invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${found}.`);
      },
    },
    {
      source: 'https://platform.claude.com/docs/en/about-claude/models/overview',
      wording: 'quoted',
      demands: '`max_tokens` is at most 128,000',
      refuse: (body) =>
        body.max_tokens <= 128_000
          ? null
          : invalid(
              `max_tokens: ${body.max_tokens} > 128000, which is the maximum allowed number of output tokens for ${body.model}`,
            ),
    },
  ],
  window: {
    source: 'https://platform.claude.com/docs/en/build-with-claude/context-windows',
    wording: 'quoted',
    tokens: 1_000_000,
    holdsAnswer: false,
    refuse: (tokens, window) => invalid(`prompt is too long: ${tokens} tokens > ${window} maximum`),
  },
  busy: {
    source: 'https://platform.claude.com/docs/en/api/errors',
    wording: 'quoted',
    status: 529,
    type: 'overloaded_error',
    message: 'Overloaded',
  },
  badKey: {
    source: 'https://platform.claude.com/docs/en/api/errors',
    wording: 'quoted',
    status: 401,
    type: 'authentication_error',
    message: 'invalid x-api-key',
  },
  keyOf: (headers) => (headers['x-api-key'] === undefined ? undefined : String(headers['x-api-key'])),
  errorBody: ({ message, type }) => ({
    type: 'error',
    error: { type: type ?? 'invalid_request_error', message },
    request_id: 'req_011CV9Ebv6mAPLM4',
  }),
};
