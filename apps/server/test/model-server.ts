import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';

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
  readonly role: ScriptedRole;
  /** How often the model has answered in this conversation before. */
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
  /** What the model says that it used; a round figure by default. */
  readonly usage?: { readonly input: number; readonly output: number };
}

/** What the model says, from the request alone: it has no memory, so a repeated request gets the same answer. */
export type ModelScript = (request: ModelRequest) => ModelAnswer;

export interface ModelServer extends AsyncDisposable {
  /** What the service needs in its environment to work with this server through a provider. */
  environment(provider: ModelProvider): Record<string, string>;
  /** Every request so far, in order. */
  requests(): readonly ModelRequest[];
  /** The bodies of all requests as they came over the wire. */
  bodies(): string;
}

export const USAGE_OF_A_TURN = { input: 1_000, output: 50 };

const names: Record<ModelProvider, string> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  compatible: 'local-model',
};

/** A model server that speaks the three real wires over HTTP, and whose answers come from a script. */
export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const seen: ModelRequest[] = [];
  const server = new LLMock({ port: 0, strict: true });
  server.addFixture({
    match: { predicate: () => true },
    response: (raw) => {
      const request = readRequest(raw);
      seen.push(request);
      return toResponse(script(request), raw.model);
    },
  });
  await server.start();
  return {
    environment: (provider) => ({
      MODEL: `${provider}/${names[provider]}`,
      ...(provider === 'anthropic' && { ANTHROPIC_API_KEY: keyOf(provider), ANTHROPIC_BASE_URL: `${server.url}/v1` }),
      ...(provider === 'openai' && { OPENAI_API_KEY: keyOf(provider), OPENAI_BASE_URL: `${server.url}/v1` }),
      ...(provider === 'compatible' && { MODEL_API_KEY: keyOf(provider), MODEL_BASE_URL: `${server.url}/v1` }),
    }),
    requests: () => seen,
    bodies: () =>
      server
        .getRequests()
        .map(({ body }) => JSON.stringify(body))
        .join('\n'),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** The key of a provider in tests: to be found nowhere but in the requests' headers. */
export function keyOf(provider: ModelProvider): string {
  return `sk-canary-${provider}-5f1d7a9c3b`;
}

function readRequest(raw: ChatCompletionRequest): ModelRequest {
  const system = raw.messages
    .filter(({ role }) => role === 'system')
    .map(textOf)
    .join('\n');
  const role = (Object.keys(roleWords) as ScriptedRole[]).find((name) => system.startsWith(roleWords[name]));
  if (role === undefined) throw new Error(`nobody's instructions: ${system.slice(0, 80)}`);
  const rest = raw.messages.filter((message) => message.role !== 'system');
  const lastAnswer = rest.findLastIndex((message) => message.role === 'assistant');
  return {
    role,
    // A wire may split one answer into several messages; between two answers there is always something else.
    turn: rest.filter((message, at) => message.role === 'assistant' && rest[at - 1]?.role !== 'assistant').length,
    texts: rest.filter((message) => message.role !== 'assistant').map(textOf),
    results: rest.slice(lastAnswer + 1).flatMap((message) => (message.role === 'tool' ? [textOf(message)] : [])),
    tools: (raw.tools ?? []).map((tool) => tool.function.name),
    raw,
  };
}

function textOf({ content }: ChatCompletionRequest['messages'][number]): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

/** Each wire has its own names for the same figures. */
function usageOf({ input, output }: { input: number; output: number }, model: string) {
  if (model === names.compatible)
    return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  return { input_tokens: input, output_tokens: output };
}

function toResponse({ text, calls, usage = USAGE_OF_A_TURN }: ModelAnswer, model: string): FixtureResponse {
  const used = { usage: usageOf(usage, model) };
  const toolCalls = calls?.map(({ tool, input }) => ({ name: tool, arguments: JSON.stringify(input) }));
  if (toolCalls === undefined) return { content: text ?? '', ...used };
  return text === undefined ? { toolCalls, ...used } : { content: text, toolCalls, ...used };
}
