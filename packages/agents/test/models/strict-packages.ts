import type { ServerResponse } from 'node:http';
import { bedrockEvent } from '@sluice/testing';
import type { ModelProvider } from '../../src/providers/model-access.ts';
import { refuse, startVendor, stream, type VendorServer, type WireRequest } from './vendor-server.ts';
import { type WireFormat, wireFormats } from './wire-formats.ts';

/** What a strict server answers: words, or a thought and a call of `read_file`. */
export type Story = 'words' | 'call';

export interface StrictPackage {
  readonly provider: ModelProvider;
  readonly name: string;
  /** The path of a request, below the base URL. */
  readonly path: string;
  readonly keyHeader: readonly [string, (key: string) => string];
  /** The members that a body may have, by the vendor's reference; any other is refused. */
  readonly members: readonly string[];
  readonly required: readonly string[];
  /** A rule of the vendor's beyond names of members: what is wrong with the body, or null. */
  fault?(body: WireRequest['body']): string | null;
  /** @param turn the answers differ by it */
  answer(response: ServerResponse, story: Story, turn?: number): void;
  /** How the vendor refuses a key, status and body. */
  readonly keyRefused: readonly [number, unknown];
  /** Where the vendor publishes its reference. The rules have not been compared with that page yet. */
  readonly source: string;
}

const THOUGHT = 'The file comes first.';

/** The thought of an answer, which differs between answers. */
export function thoughtOf(turn: number): string {
  return turn === 1 ? THOUGHT : `${THOUGHT} ü\\u0022 (${turn})`;
}

/** Its seal, which only its maker can read. */
export function sealOf(turn: number): string {
  return Buffer.from(`seal/of ${turn}?`).toString('base64');
}

const bearer = ['authorization', (key: string) => `Bearer ${key}`] as const;
const CHAT = ['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice', 'temperature', 'max_tokens'];
const USAGE = {
  prompt_tokens: 1_000,
  prompt_tokens_details: { cached_tokens: 600 },
  completion_tokens: 50,
  completion_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 1_050,
};

const toolCall = (turn: number, prefix = 'call_') => ({
  index: 0,
  id: `${prefix}${turn}`,
  type: 'function',
  function: { name: 'read_file', arguments: '{"path":"a.txt"}' },
});

/** The answer of a server with chat completions, whose thoughts come in this form. */
function chat(
  thought: (turn: number) => Record<string, unknown>,
  { prefix = 'call_', usage = { usage: USAGE } as object } = {},
) {
  return (response: ServerResponse, story: Story, turn = 1): void => {
    const chunk = (choice: object, more: object = {}) => ({
      ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' },
      choices: [{ index: 0, ...choice }],
      ...more,
    });
    const said =
      story === 'words'
        ? [chunk({ delta: { role: 'assistant', content: 'Done.' }, finish_reason: null })]
        : [
            chunk({ delta: { role: 'assistant', ...thought(turn) }, finish_reason: null }),
            chunk({ delta: { tool_calls: [toolCall(turn, prefix)] }, finish_reason: null }),
          ];
    const reason = story === 'words' ? 'stop' : 'tool_calls';
    stream(response, [...said, chunk({ delta: {}, finish_reason: reason }, usage)]);
    response.end('data: [DONE]\n\n');
  };
}

/** OpenAI's rule, which all of them took over: each call of a tool is answered before the next turn. */
function unanswered({ messages }: WireRequest['body']): string | null {
  const list = messages as readonly { role: string; tool_call_id?: string; tool_calls?: { id: string }[] }[];
  const answered = new Set(list.map(({ tool_call_id }) => tool_call_id));
  const open = list.flatMap(({ tool_calls = [] }) => tool_calls).find(({ id }) => !answered.has(id));
  return open === undefined ? null : `tool call ${open.id} has no answer`;
}

/** Groq and Cerebras refuse what they have sent themselves: github.com/janhq/jan/issues/8136, github.com/Kilo-Org/kilocode/issues/10375. */
function takesNoThoughts(body: WireRequest['body']): string | null {
  const messages = body.messages as readonly Record<string, unknown>[];
  const name = messages.flatMap(Object.keys).find((member) => member.startsWith('reasoning'));
  return name === undefined ? unanswered(body) : `'messages.2' : property '${name}' is unsupported`;
}

/** Mistral's ids: github.com/openai/openai-agents-python/issues/442. */
function nineCharacters(body: WireRequest['body']): string | null {
  const odd = JSON.stringify(body.messages).match(/"(?:tool_call_id|id)":"(?![a-zA-Z0-9]{9}")[^"]*"/);
  return odd === null ? unanswered(body) : 'Tool call id was odd but must be a-z, A-Z, 0-9, with a length of 9.';
}

/** Claude with a budget thinks first in a turn with calls: platform.claude.com/docs/en/build-with-claude/extended-thinking. */
function thinksFirst({ messages, additionalModelRequestFields: fields }: WireRequest['body']): string | null {
  const isOn = (fields as { thinking?: object } | undefined)?.thinking !== undefined;
  const last = (messages as { role: string; content: object[] }[]).findLast(({ role }) => role === 'assistant');
  return !isOn || last === undefined || 'reasoningContent' in (last.content[0] ?? {})
    ? null
    : 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.';
}

const responsesHead = { id: 'resp_1', object: 'response', created_at: 1_780_000_000, model: 'gpt-5-mini', output: [] };

function responses(response: ServerResponse, story: Story, turn = 1): void {
  const usage = {
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 600 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 20 },
    total_tokens: 1_050,
  };
  const message = { id: 'msg_1', type: 'message', role: 'assistant' };
  const reasoning = { id: `rs_${turn}`, type: 'reasoning', summary: [], encrypted_content: sealOf(turn) };
  const call = { id: `fc_${turn}`, type: 'function_call', call_id: `call_${turn}`, name: 'read_file' };
  const done = (item: object, at = 0) => ({ type: 'response.output_item.done', output_index: at, item });
  const added = (item: object, at = 0) => ({ type: 'response.output_item.added', output_index: at, item });
  const said =
    story === 'words'
      ? [
          added({ ...message, status: 'in_progress', content: [] }),
          { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Done.' },
          done({
            ...message,
            status: 'completed',
            content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
          }),
        ]
      : [
          added({ ...reasoning, status: 'in_progress' }),
          done({ ...reasoning, status: 'completed' }),
          added({ ...call, arguments: '', status: 'in_progress' }, 1),
          {
            type: 'response.function_call_arguments.delta',
            item_id: call.id,
            output_index: 1,
            delta: '{"path":"a.txt"}',
          },
          {
            type: 'response.function_call_arguments.done',
            item_id: call.id,
            output_index: 1,
            arguments: '{"path":"a.txt"}',
          },
          done({ ...call, arguments: '{"path":"a.txt"}', status: 'completed' }, 1),
        ];
  const events = [
    { type: 'response.created', response: { ...responsesHead, status: 'in_progress' } },
    ...said,
    { type: 'response.completed', response: { ...responsesHead, status: 'completed', usage } },
  ];
  stream(
    response,
    events.map((event, at) => ({ ...event, sequence_number: at })),
  );
  response.end();
}

const RESPONSES = ['model', 'input', 'store', 'include', 'stream', 'tools', 'tool_choice', 'reasoning', 'text'].concat([
  'max_output_tokens',
  'parallel_tool_calls',
  'temperature',
  'prompt_cache_key',
]);

/** Nothing is kept, so thoughts are lost unless they come back sealed. */
function keepsNothing({ store, include }: WireRequest['body']): string | null {
  if (store !== false) return 'store: must be false';
  return (include as string[] | undefined)?.includes('reasoning.encrypted_content')
    ? null
    : 'include: thoughts are lost';
}

function gemini(response: ServerResponse, story: Story, turn = 1): void {
  const parts =
    story === 'words'
      ? [{ text: 'Done.' }]
      : [
          { text: thoughtOf(turn), thought: true },
          {
            functionCall: { id: `call_${turn}`, name: 'read_file', args: { path: 'a.txt' } },
            thoughtSignature: sealOf(turn),
          },
        ];
  stream(response, [
    {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 1_000,
        cachedContentTokenCount: 600,
        candidatesTokenCount: 30,
        thoughtsTokenCount: 20,
        totalTokenCount: 1_050,
      },
    },
  ]);
  response.end();
}

/** Gemini 3 refuses a call of its own that comes back without its signature. */
function unsigned({ contents }: WireRequest['body']): string | null {
  const parts = (contents as { parts: { functionCall?: object; thoughtSignature?: string }[] }[]).flatMap(
    (content) => content.parts,
  );
  return parts.some(({ functionCall, thoughtSignature }) => functionCall && !thoughtSignature)
    ? 'Function call is missing a thought_signature in functionCall parts.'
    : null;
}

const GEMINI = {
  keyHeader: ['x-goog-api-key', (key: string) => key],
  members: ['contents', 'systemInstruction', 'generationConfig', 'tools', 'toolConfig', 'safetySettings'],
  required: ['contents', 'systemInstruction'],
  fault: unsigned,
  answer: gemini,
  keyRefused: [
    400,
    {
      error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
    },
  ],
} as const;

function converse(response: ServerResponse, story: Story, turn = 1): void {
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
  const delta = (at: number, value: object) =>
    bedrockEvent('contentBlockDelta', { contentBlockIndex: at, delta: value });
  const stop = (at: number) => bedrockEvent('contentBlockStop', { contentBlockIndex: at });
  const said =
    story === 'words'
      ? [delta(0, { text: 'Done.' }), stop(0)]
      : [
          delta(0, { reasoningContent: { text: thoughtOf(turn) } }),
          delta(0, { reasoningContent: { signature: sealOf(turn) } }),
          stop(0),
          bedrockEvent('contentBlockStart', {
            contentBlockIndex: 1,
            start: { toolUse: { toolUseId: `call_${turn}`, name: 'read_file' } },
          }),
          delta(1, { toolUse: { input: '{"path":"a.txt"}' } }),
          stop(1),
        ];
  const usage = { inputTokens: 300, outputTokens: 50, totalTokens: 1_050 };
  const metadata = { usage: { ...usage, cacheReadInputTokens: 600, cacheWriteInputTokens: 100 } };
  const events = [
    bedrockEvent('messageStart', { role: 'assistant' }),
    ...said,
    bedrockEvent('messageStop', { stopReason: story === 'words' ? 'end_turn' : 'tool_use' }),
    bedrockEvent('metadata', metadata),
  ];
  response.end(Buffer.concat(events));
}

const openaiError = (message: string, code: string) => ({
  error: { message, type: 'invalid_request_error', code },
});

/** A server for each package that is loaded on demand, as strict as its vendor's reference. */
export const strictPackages: readonly StrictPackage[] = [
  {
    ...GEMINI,
    provider: 'google',
    name: 'google/gemini-3-pro-preview',
    path: '/models/gemini-3-pro-preview:streamGenerateContent?alt=sse',
    source: 'https://ai.google.dev/api/generate-content, https://ai.google.dev/gemini-api/docs/thought-signatures',
  },
  {
    ...GEMINI,
    provider: 'vertex',
    name: 'vertex/gemini-3-pro-preview',
    path: '/models/gemini-3-pro-preview:streamGenerateContent?alt=sse',
    source: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  },
  {
    provider: 'azure',
    name: 'azure/gpt-5-mini',
    path: '/responses',
    keyHeader: ['api-key', (key) => key],
    members: RESPONSES,
    required: ['model', 'input'],
    fault: keepsNothing,
    answer: responses,
    keyRefused: [
      401,
      { error: { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' } },
    ],
    source: 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/latest',
  },
  {
    provider: 'bedrock',
    name: 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    path: '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream',
    keyHeader: bearer,
    members: ['messages', 'system', 'inferenceConfig', 'toolConfig', 'additionalModelRequestFields'].concat(
      'additionalModelResponseFieldPaths',
    ),
    required: ['messages', 'system'],
    fault: thinksFirst,
    answer: converse,
    keyRefused: [403, { message: 'The security token included in the request is invalid.' }],
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html',
  },
  {
    provider: 'openrouter',
    name: 'openrouter/anthropic/claude-sonnet-4.5',
    path: '/chat/completions',
    keyHeader: bearer,
    members: [...CHAT, 'reasoning', 'usage', 'parallel_tool_calls', 'response_format'],
    required: ['model', 'messages'],
    fault: unanswered,
    answer: chat((turn) => ({
      reasoning: thoughtOf(turn),
      reasoning_details: [
        {
          ...{ type: 'reasoning.text', text: thoughtOf(turn), signature: sealOf(turn) },
          ...{ format: 'anthropic-claude-v1', index: 0 },
        },
      ],
    })),
    keyRefused: [401, { error: { code: 401, message: 'User not found.' } }],
    source: 'https://openrouter.ai/docs/api-reference/chat-completion',
  },
  {
    provider: 'deepseek',
    name: 'deepseek/deepseek-v4-pro',
    path: '/chat/completions',
    keyHeader: bearer,
    members: [...CHAT, 'thinking', 'reasoning_effort', 'response_format'],
    required: ['model', 'messages'],
    fault(body) {
      const messages = body.messages as { tool_calls?: object[]; reasoning_content?: string }[];
      const bare = messages.some(
        ({ tool_calls, reasoning_content }) => tool_calls && typeof reasoning_content !== 'string',
      );
      return bare ? 'Missing `reasoning_content` field in the assistant message' : unanswered(body);
    },
    answer: chat((turn) => ({ reasoning_content: thoughtOf(turn) }), {
      usage: { usage: { ...USAGE, prompt_cache_hit_tokens: 600, prompt_cache_miss_tokens: 400 } },
    }),
    keyRefused: [401, openaiError('Authentication Fails, Your api key: ****0001 is invalid', 'invalid_request_error')],
    source:
      'https://api-docs.deepseek.com/api/create-chat-completion, https://api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    provider: 'groq',
    name: 'groq/openai/gpt-oss-120b',
    path: '/chat/completions',
    keyHeader: bearer,
    members: [...CHAT, 'reasoning_effort', 'reasoning_format', 'parallel_tool_calls', 'response_format'],
    required: ['model', 'messages'],
    fault: takesNoThoughts,
    answer: chat((turn) => ({ reasoning: thoughtOf(turn) }), { usage: { x_groq: { id: 'req_1', usage: USAGE } } }),
    keyRefused: [401, openaiError('Invalid API Key', 'invalid_api_key')],
    source: 'https://console.groq.com/docs/api-reference#chat-create',
  },
  {
    provider: 'cerebras',
    name: 'cerebras/gpt-oss-120b',
    path: '/chat/completions',
    keyHeader: bearer,
    members: [...CHAT, 'max_completion_tokens', 'reasoning_effort', 'parallel_tool_calls', 'response_format'],
    required: ['model', 'messages'],
    fault: takesNoThoughts,
    answer: chat((turn) => ({ reasoning: thoughtOf(turn) })),
    keyRefused: [401, { message: 'Wrong API Key', type: 'invalid_request_error', code: 'wrong_api_key' }],
    source: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
  },
  {
    provider: 'mistral',
    name: 'mistral/magistral-medium-latest',
    path: '/chat/completions',
    keyHeader: bearer,
    members: [...CHAT, 'parallel_tool_calls', 'response_format', 'reasoning_effort', 'prompt_mode'],
    required: ['model', 'messages'],
    fault: nineCharacters,
    answer: chat((turn) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: thoughtOf(turn) }] }] }), {
      prefix: 'abcdefgh',
    }),
    keyRefused: [401, { detail: 'Unauthorized' }],
    source: 'https://docs.mistral.ai/api/endpoint/chat',
  },
  {
    provider: 'xai',
    name: 'xai/grok-4',
    path: '/responses',
    keyHeader: bearer,
    members: RESPONSES,
    required: ['model', 'input'],
    fault: keepsNothing,
    answer: responses,
    keyRefused: [400, { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***01.' }],
    source: 'https://docs.x.ai/docs/api-reference#create-new-response',
  },
];

const ownServer = {
  provider: 'compatible',
  path: '/chat/completions',
  keyHeader: ['content-type', () => 'application/json'], // started without a key
  required: ['model', 'messages'],
  fault: unanswered,
  answer: chat((turn) => ({ reasoning_content: thoughtOf(turn) })),
  keyRefused: [415, { error: { message: 'not JSON' } }],
} as const;

/** The servers of the other providers. */
export const otherServers: readonly StrictPackage[] = [
  {
    provider: 'anthropic',
    name: 'anthropic/claude-sonnet-4-5',
    path: '/messages',
    keyHeader: ['x-api-key', (key) => key],
    members: ['model', 'messages', 'system', 'max_tokens', 'stream', 'tools', 'tool_choice', 'thinking'].concat(
      'temperature',
      'output_config',
    ),
    required: ['model', 'messages', 'max_tokens'],
    answer: (response) => formatOf('anthropic').whole(response, 'Done.'),
    keyRefused: [401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }],
    source: 'https://platform.claude.com/docs/en/api/messages',
  },
  {
    provider: 'openai',
    name: 'openai/gpt-5',
    path: '/responses',
    keyHeader: bearer,
    members: RESPONSES,
    required: ['model', 'input'],
    fault: keepsNothing,
    answer: responses,
    keyRefused: [401, openaiError('Incorrect API key provided', 'invalid_api_key')],
    source: 'https://developers.openai.com/api/reference/resources/responses',
  },
  {
    ...ownServer,
    name: 'compatible/qwen3:32b',
    members: [...CHAT, 'reasoning_effort', 'response_format'],
    source: 'https://docs.ollama.com/api/openai-compatibility',
  },
  {
    ...ownServer,
    name: 'compatible/Qwen/Qwen3-32B',
    members: [...CHAT, 'reasoning_effort', 'response_format', 'chat_template_kwargs', 'parallel_tool_calls'],
    source: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server',
  },
];

function formatOf(provider: ModelProvider): WireFormat {
  const format = wireFormats.find((one) => one.provider === provider);
  if (format === undefined) throw new Error(`${provider} has no wire format`);
  return format;
}

/** Starts a vendor's server: it refuses wrong paths, keys and bodies, and else tells the story. */
export async function startStrict(
  vendor: StrictPackage,
  { key, story }: { readonly key: string; readonly story: (count: number) => Story },
): Promise<VendorServer> {
  return await startVendor((response, request, count) => {
    const [header, value] = vendor.keyHeader;
    const fault = faultOf(vendor, request);
    if (request.headers[header] !== value(key)) {
      const [status, body] = vendor.keyRefused;
      refuse(response, status, { body });
    } else if (fault !== null) refuse(response, 400, { body: { error: { message: fault } } });
    else vendor.answer(response, story(count), count);
  });
}

function faultOf({ path, members, required, fault }: StrictPackage, request: WireRequest): string | null {
  if (request.path !== `/v1${path}`) return `no such path: ${request.path}`;
  const unknown = Object.keys(request.body).find((member) => !members.includes(member));
  if (unknown !== undefined) return `${unknown}: extra inputs are not permitted`;
  const missing = required.find((member) => request.body[member] === undefined);
  if (missing !== undefined) return `${missing}: field required`;
  return fault?.(request.body) ?? null;
}
