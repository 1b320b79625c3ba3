import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import { startWireTap } from './wire-tap.ts';

export const modelProviders = ['anthropic', 'openai', 'compatible'] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** Who asks, known by the first words of its instructions. */
const roleWords = {
  triager: 'You triage',
  planner: 'You plan',
  coder: 'You carry out',
  reviewer: 'You review',
} as const;
export type ScriptedRole = keyof typeof roleWords;

/** One request to the scripted model, as a script sees it whatever the wire. */
export interface ModelRequest {
  readonly provider: ModelProvider;
  readonly role: ScriptedRole;
  /** How often the model has answered in this round of the conversation before. */
  readonly turn: number;
  /** All that it was given besides its instructions, newest last. */
  readonly texts: readonly string[];
  /** The results of the calls of its last answer. */
  readonly results: readonly string[];
  /** Names of the tools that it is offered. */
  readonly tools: readonly string[];
  readonly raw: ChatCompletionRequest;
}

export interface ModelAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: object }[];
  /** The usage that the model reports; a round figure by default. `input` includes cached tokens. */
  readonly usage?: ModelUsage;
  /** A failure in place of an answer. */
  readonly failure?: { readonly status: number; readonly message: string };
}

interface ModelUsage {
  readonly input: number;
  readonly output: number;
}

/** What the model says, from the request alone: it has no memory, so a repeated request gets the same answer. */
export type ModelScript = (request: ModelRequest) => ModelAnswer | Promise<ModelAnswer>;

export interface ModelServer extends AsyncDisposable {
  /** What the service needs in its environment to work with this server through a provider. */
  environment(provider: ModelProvider): Record<string, string>;
  /** Every request for words so far, in order. */
  requests(): readonly ModelRequest[];
  /** The usage that the model reported, by the role that asked, in order. Failures used nothing. */
  used(): readonly (ModelUsage & { readonly role: ScriptedRole })[];
  /** The bodies of all requests as they came over the wire. */
  bodies(): string;
  /** From now on no text is embedded: the endpoint answers 503; or it works again. */
  embeds(isUp: boolean): void;
}

const USAGE_OF_A_TURN: ModelUsage = { input: 1_000, output: 50 };

/** The model of each provider. The vendors' models have a known price. */
export const modelNames: Record<ModelProvider, string> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  compatible: 'local-model',
};

/** A model server that speaks the three real wires over HTTP, and whose answers come from a script. */
export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const seen: ModelRequest[] = [];
  const used: (ModelUsage & { role: ScriptedRole })[] = [];
  let isEmbedding = true;
  const server = new LLMock({ port: 0, logLevel: 'silent' });
  server.addFixture({
    match: { endpoint: 'chat', predicate: () => true },
    response: async (raw) => {
      const request = readRequest(raw);
      seen.push(request);
      const answer = { usage: usageFor(raw), ...(await script(request)) };
      if (answer.failure === undefined) used.push({ role: request.role, ...answer.usage });
      return toResponse(asOffered(answer, request), request.provider);
    },
  });
  server.addFixture({
    match: { endpoint: 'embedding', predicate: () => !isEmbedding },
    response: { error: { message: 'Away for a while', type: 'server_error' }, status: 503 },
  });
  await server.start();
  const tap = await startWireTap(server.url);
  const url = `${tap.url}/v1`;
  return {
    environment: (provider) => ({
      MODEL: `${provider}/${modelNames[provider]}`,
      MODEL_TRIAGE: `${provider}/${modelNames[provider]}`, // so that the triager is asked apart
      ...(provider === 'anthropic' && { ANTHROPIC_API_KEY: keyOf(provider), ANTHROPIC_BASE_URL: url }),
      ...(provider === 'openai' && { OPENAI_API_KEY: keyOf(provider), OPENAI_BASE_URL: url }),
      ...(provider === 'compatible' && { MODEL_API_KEY: keyOf(provider), MODEL_BASE_URL: url }),
    }),
    requests: () => seen,
    used: () => used,
    bodies: () => tap.bodies.join('\n'),
    embeds: (isUp) => {
      isEmbedding = isUp;
    },
    async [Symbol.asyncDispose]() {
      await tap[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

/** The same answer, with an edit of whole lines as a patch for a model that edits so. */
function asOffered(answer: ModelAnswer, { tools }: ModelRequest): ModelAnswer {
  if (answer.calls === undefined || !tools.includes('apply_patch')) return answer;
  const calls = answer.calls.map(({ tool, input }) => {
    if (tool !== 'edit_file') return { tool, input };
    const { path, old_text, new_text, ...others } = input as Record<string, string>;
    const signed = (sign: string, text = '') => text.split('\n').map((line) => `${sign}${line}`);
    const patch = [`*** Update File: ${path}`, ...signed('-', old_text), ...signed('+', new_text)].join('\n');
    return { tool: 'apply_patch', input: { patch, ...others } };
  });
  return { ...answer, calls };
}

/** The key of a provider in tests: to be found nowhere but in the requests' headers. */
export function keyOf(provider: ModelProvider): string {
  return `sk-canary-${provider}-5f1d7a9c3b`;
}

/** A round figure, or what a long conversation has: a server that counts far less seems to cut requests. */
function usageFor(raw: ChatCompletionRequest): ModelUsage {
  const tokens = Math.round(JSON.stringify(raw.messages).length / 4);
  return tokens < 4_000 ? USAGE_OF_A_TURN : { ...USAGE_OF_A_TURN, input: tokens };
}

function readRequest(raw: ChatCompletionRequest): ModelRequest {
  const system = raw.messages
    .filter(({ role }) => role === 'system')
    .map(textOf)
    .join('\n');
  const role = (Object.keys(roleWords) as ScriptedRole[]).find((name) => system.startsWith(roleWords[name]));
  if (role === undefined) throw new Error(`nobody's instructions: ${system.slice(0, 80)}`);
  const provider = modelProviders.find((name) => modelNames[name] === raw.model);
  if (provider === undefined) throw new Error(`nobody's model: ${raw.model}`);
  const rest = raw.messages.filter((message) => message.role !== 'system');
  const lastAnswer = rest.findLastIndex((message) => message.role === 'assistant');
  return {
    provider,
    role,
    // A wire may split one answer into several messages; between two answers there is always something else.
    turn: sinceOpening(rest).filter(
      (message, at, all) => message.role === 'assistant' && all[at - 1]?.role !== 'assistant',
    ).length,
    texts: rest.filter((message) => message.role !== 'assistant').map(textOf),
    results: rest.slice(lastAnswer + 1).flatMap((message) => (message.role === 'tool' ? [textOf(message)] : [])),
    tools: (raw.tools ?? []).map((tool) => tool.function.name),
    raw,
  };
}

/** The messages of the current round: later ones open with feedback, or with the end of the last attempt. */
function sinceOpening(messages: ChatCompletionRequest['messages']): ChatCompletionRequest['messages'] {
  const opening = messages.findLastIndex(
    (message) => message.role === 'user' && /<\/(?:feedback|last_attempt)>/.test(textOf(message)),
  );
  return messages.slice(opening + 1);
}

function textOf({ content }: ChatCompletionRequest['messages'][number]): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

/** Each wire has its own names for the same figures. */
function usageOf({ input, output }: ModelUsage, provider: ModelProvider) {
  return provider === 'compatible'
    ? { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
    : { input_tokens: input, output_tokens: output };
}

function toResponse(answer: ModelAnswer, provider: ModelProvider): FixtureResponse {
  const { text, calls, failure, usage = USAGE_OF_A_TURN } = answer;
  if (failure !== undefined) return { error: { message: failure.message }, status: failure.status };
  const used = { usage: usageOf(usage, provider) };
  const toolCalls = calls?.map(({ tool, input }) => ({ name: tool, arguments: JSON.stringify(input) }));
  if (toolCalls === undefined) return { content: text ?? '', ...used };
  return text === undefined ? { toolCalls, ...used } : { content: text, toolCalls, ...used };
}
