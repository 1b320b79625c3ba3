import { inspect } from 'node:util';
import { AppError } from '@sluice/core/error';
import { expect } from 'vitest';
import * as z from 'zod';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import {
  askWithFallback,
  createModelCooldown,
  type FallbackRequest,
  type ModelTurn,
} from '../../src/models/model-fallback.ts';
import { createModels, type ModelsOptions } from '../../src/providers/create-models.ts';
import { modelProviders } from '../../src/providers/model-access.ts';
import type { ModelStage } from '../../src/providers/model-settings-file.ts';
import type { AgentTool } from '../../src/tools/agent-tool.ts';
import { defineTool } from '../../src/tools/agent-tool.ts';

export const KEYS = {
  anthropic: 'sk-ant-api03-canary-anthropic-0001',
  openai: 'sk-proj-canary-openai-0002',
  compatible: 'canary compatible'.replace(' ', '/+'),
};
/** The key of all other providers. */
const OTHER_KEY = 'canary-key-of-another-vendor-0003';
export const PROMPT = 'The canary of the prompt sings at dawn, and nobody who reads a log may hear it.';

const readTool: AgentTool = defineTool({
  name: 'read_file',
  description: 'Reads a file.',
  input: z.object({ path: z.string() }),
  effect: 'read',
  onReplay: 'rerun',
  run: async () => 'text',
});

/** A model at a test's server, whichever provider it is of, for a stage or for none. */
export function choiceAt(
  url: string,
  name: string,
  { stage, ...options }: Partial<ModelsOptions> & { readonly stage?: ModelStage } = {},
): ModelChoice {
  const ofAll = (value: string) => Object.fromEntries(modelProviders.map((provider) => [provider, value]));
  return createModels({ keys: { ...ofAll(OTHER_KEY), ...KEYS }, baseUrls: ofAll(url), ...options }).choice(name, stage);
}

export type AskOptions = Partial<Omit<FallbackRequest, 'choices'>>;

/** One turn, without the SDK's retries, because they wait for seconds. */
export async function ask(
  choices: readonly ModelChoice[],
  options: AskOptions = {},
): Promise<ModelTurn & { said: string }> {
  let said = '';
  const turn = await askWithFallback({
    choices,
    cooldown: createModelCooldown({ now: () => new Date() }),
    instructions: 'Be short.',
    messages: [{ role: 'user', content: PROMPT }],
    tools: [readTool],
    answer: { name: null, schema: z.string() },
    cacheKey: 'issue 1',
    signal: new AbortController().signal,
    timeouts: { totalMs: 60_000, firstChunkMs: 60_000, chunkMs: 60_000 },
    maxRetries: 0,
    beforeCall: async () => {},
    readPicture: async () => null,
    onText(text) {
      said += text;
    },
    ...options,
  });
  return { ...turn, said };
}

/** The failure of a turn, after a look that nothing in it is secret. */
export async function failure(turn: Promise<unknown>): Promise<AppError> {
  const error = await turn.then(
    () => Promise.reject(new Error('It did not fail.')),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  const shown = [
    error.message,
    JSON.stringify(error),
    JSON.stringify(error.details),
    inspect(error, { depth: 20, showHidden: true }),
  ];
  for (const secret of [
    ...Object.values(KEYS),
    OTHER_KEY,
    PROMPT,
    PROMPT.slice(0, 30),
    'x-api-key',
    'Bearer',
    'authorization',
  ])
    expect(shown.join('\n')).not.toContain(secret);
  return error;
}
