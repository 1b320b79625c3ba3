import type { Turn, WireScript, WireServer } from '@sluice/testing';
import { wireServers } from '@sluice/testing';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { createModels } from '../../src/providers/create-models.ts';
import { type ModelProvider, providerNames } from '../../src/providers/model-access.ts';
import type { ModelStage, ModelTable, RequestSettings } from '../../src/providers/model-settings-file.ts';

export const KEY = 'canary-key-of-the-matrix-0001';

/** A provider or a server, and how a person configures a model of it. */
export interface Row {
  readonly label: string;
  readonly server: WireServer;
  readonly provider: ModelProvider;
  /** The address that its variable holds. Requests to it reach the server of the test. */
  readonly address: string;
  /** What a person sets for it. */
  readonly settings?: RequestSettings;
}

function serverOf(name: string): WireServer {
  const server = wireServers.find((one) => one.name === name);
  if (server === undefined) throw new Error(`There is no server ${name}.`);
  return server;
}

/** A vendor whose name is a prefix of models, at its own address unless given. */
function vendor(
  provider: Exclude<ModelProvider, 'compatible'>,
  address: string | null = providerNames[provider].baseUrl,
): Row {
  if (address === null) throw new Error(`${provider} has no address.`);
  return { label: provider, server: serverOf(provider), provider, address };
}

/** A server that `compatible/NAME` speaks to. */
function compatible(name: string, address: string, settings: RequestSettings = {}): Row {
  const server = serverOf(name);
  return { label: `compatible: ${server.maker}`, server, provider: 'compatible', address, settings };
}

export const rows: readonly Row[] = [
  vendor('anthropic'),
  vendor('openai'),
  vendor('azure', 'https://matrix.openai.azure.com/openai/v1'),
  vendor('google'),
  vendor('vertex'),
  vendor('bedrock', 'https://bedrock-runtime.us-east-1.amazonaws.com'),
  vendor('openrouter'),
  vendor('deepseek'),
  vendor('groq'),
  vendor('cerebras'),
  vendor('mistral'),
  vendor('xai'),
  compatible('openrouter', 'https://openrouter.ai/api/v1'),
  compatible('deepseek', 'https://api.deepseek.com'),
  compatible('groq', 'https://api.groq.com/openai/v1'),
  compatible('cerebras', 'https://api.cerebras.ai/v1'),
  compatible('mistral', 'https://api.mistral.ai/v1'),
  compatible('xai-chat', 'https://api.x.ai/v1'),
  compatible('openai-chat', 'https://api.openai.com/v1'),
  compatible('together', 'https://api.together.xyz/v1'),
  compatible('fireworks', 'https://api.fireworks.ai/inference/v1'),
  compatible('kimi', 'https://api.moonshot.ai/v1'),
  compatible('glm', 'https://api.z.ai/api/paas/v4'),
  compatible('minimax', 'https://api.minimax.io/v1'),
  compatible('qwen', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1'),
  compatible('vllm', 'http://127.0.0.1:8000/v1', { dialect: 'vllm' }),
  compatible('sglang', 'http://127.0.0.1:30000/v1'),
  compatible('ollama', 'http://127.0.0.1:11434/v1'),
  compatible('llama.cpp', 'http://127.0.0.1:8080/v1'),
  compatible('lmstudio', 'http://127.0.0.1:1234/v1'),
  compatible('litellm', 'http://127.0.0.1:4000/v1', { reasoning_effort: 'high' }),
];

interface ChoiceOptions {
  readonly stage?: ModelStage;
  readonly contextTokens?: number;
  readonly key?: string;
}

const realFetch = globalThis.fetch;
const servedAt = new Map<string, string>();

/** Requests to the address of a row go to a server on this machine: the address tells the dialect, so it has to be the real one. */
async function fetchFromRow(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const origin = servedAt.get(url.origin);
  if (origin === undefined) throw new TypeError(`The matrix has no server at ${url.origin}.`);
  return await realFetch(`${origin}${url.pathname}${url.search}`, init);
}

/** Gives requests back to the network, once the matrix is done. */
export function restoreFetch(): void {
  globalThis.fetch = realFetch;
}

/** The model of a row whose server is at this origin. The latest of a vendor's servers counts. */
export function choiceOf(
  row: Row,
  origin: string,
  { stage, contextTokens, key = KEY }: ChoiceOptions = {},
): ModelChoice {
  const { provider, address, settings = {} } = row;
  servedAt.set(new URL(address).origin, origin);
  globalThis.fetch = fetchFromRow;
  const name = `${provider}/${row.server.model}`;
  const table: ModelTable = {
    [name]: {
      context_tokens: contextTokens ?? 400_000,
      price: { input: 1, output: 2 },
      ...settings,
    },
  };
  return createModels({ keys: { [provider]: key }, baseUrls: { [provider]: address }, table }).choice(name, stage);
}

/** A thought with what a careless copy would lose: quotes, a line break, characters outside of the first plane, spaces at the end. */
export const thoughtOf = (turn: number) => `I think of "${turn}"\n\tand of 🦀 ümläuts. `;

const finish: Turn = {
  calls: [{ name: 'finish', input: { outcome: 'done', summary: 'Done.', ran: [] } }],
};

/** Reads one file in each of these turns, and ends. */
export const readsFiles = (turns: number, thinks: boolean): WireScript => ({
  key: KEY,
  answer: (_conversation, number) => {
    const turn = number < turns ? { calls: [{ name: 'read_file', input: { path: `f${number}.txt` } }] } : finish;
    return thinks ? { ...turn, thought: thoughtOf(number) } : turn;
  },
});
