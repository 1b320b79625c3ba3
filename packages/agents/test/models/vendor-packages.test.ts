import type { ModelMessage } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { tryToolCall } from '../../src/models/try-tool-call.ts';
import { createModels } from '../../src/providers/create-models.ts';
import { providerNames } from '../../src/providers/model-access.ts';
import { ask, failure, PROMPT } from './ask.ts';
import { type StrictPackage, startStrict, strictPackages } from './strict-packages.ts';
import { startVendor } from './vendor-server.ts';

const KEY = 'canary-key-of-the-vendor-0001';

function choiceAt(url: string, { provider, name }: StrictPackage, key = KEY) {
  const table = { [name]: { reasoning_effort: 'high' as const } };
  return createModels({ keys: { [provider]: key }, baseUrls: { [provider]: url }, table }).choice(name);
}

/** The variables from which the packages would take what they are not given. */
const POISON = [
  ...['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'],
  ...['GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_VERTEX_API_KEY', 'GOOGLE_VERTEX_PROJECT', 'GOOGLE_VERTEX_LOCATION'],
  ...['GOOGLE_CLIENT_EMAIL', 'GOOGLE_PRIVATE_KEY', 'GOOGLE_APPLICATION_CREDENTIALS', 'GEMINI_API_KEY'],
  ...['AZURE_API_KEY', 'AZURE_RESOURCE_NAME', 'OPENROUTER_API_KEY', 'DEEPSEEK_API_KEY', 'GROQ_API_KEY'],
  ...['CEREBRAS_API_KEY', 'MISTRAL_API_KEY', 'XAI_API_KEY', 'GOOGLE_API_KEY'],
];
const POISONED_ADDRESSES = [
  ...['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'AWS_EC2_METADATA_SERVICE_ENDPOINT'],
  ...['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'GCE_METADATA_HOST', 'GOOGLE_BASE_URL', 'OPENROUTER_BASE_URL'],
];

describe.each(strictPackages)('$name', (vendor) => {
  it('says its words with usage at the list price, and is sent its key where the vendor reads it', async () => {
    await using server = await startStrict(vendor, { key: KEY, story: () => 'words' });
    const choice = choiceAt(server.url, vendor);
    const turn = await ask([choice]);
    expect(choice.costUsd(turn.usage)).toBeGreaterThan(0);
    expect(turn).toMatchObject({ said: 'Done.', finishReason: 'stop', skipped: [] });
    expect(turn.usage).toMatchObject({ inputTokens: 1_000, outputTokens: 50 });
    expect(turn.usage.inputTokenDetails.cacheReadTokens).toBe(600);
    expect(server.requests).toHaveLength(1);
  });

  it('thinks, calls a tool and is sent what stands in the golden file', async () => {
    await using server = await startStrict(vendor, { key: KEY, story: (count) => (count === 1 ? 'call' : 'words') });
    const choice = choiceAt(server.url, vendor);
    const asked: ModelMessage = { role: 'user', content: PROMPT };
    const first = await ask([choice]);
    expect(first.finishReason).toBe('tool-calls');
    const calls = first.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-call'),
    );
    expect(calls).toMatchObject([{ toolName: 'read_file', input: { path: 'a.txt' } }]);
    const result: ModelMessage = {
      role: 'tool',
      content: calls.map(({ toolCallId, toolName }) => ({
        ...{ type: 'tool-result', toolCallId, toolName },
        output: { type: 'text', value: 'The text of the file.' },
      })),
    };
    const second = await ask([choice], { messages: [asked, ...first.messages, result] });
    expect(second.said).toBe('Done.');
    const bodies = server.requests.map(({ body }) => body);
    await expect(`${JSON.stringify(bodies, null, 2)}\n`).toMatchFileSnapshot(`golden/${vendor.provider}-bodies.txt`);
  });

  it('fails with the name of the variable whose key is refused', async () => {
    await using server = await startStrict(vendor, { key: KEY, story: () => 'words' });
    const error = await failure(ask([choiceAt(server.url, vendor, 'canary-of-a-wrong-key-0002')]));
    expect(error.code).toBe('model_key_refused');
    expect(error.message).toContain(providerNames[vendor.provider].keyVariable);
    expect(JSON.stringify([error.message, error.cause, error.details])).not.toContain('canary-of-a-wrong-key');
  });

  it('takes nothing from the environment and asks no other address', async () => {
    await using elsewhere = await startVendor((response) => vendor.answer(response, 'words'));
    for (const name of POISON) vi.stubEnv(name, 'canary-of-the-environment');
    for (const name of POISONED_ADDRESSES) vi.stubEnv(name, elsewhere.url);
    const asked: string[] = [];
    const { fetch: real } = globalThis;
    vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
      asked.push(new URL(input instanceof Request ? input.url : input).origin);
      return real(input, init);
    });
    await using server = await startStrict(vendor, { key: KEY, story: () => 'words' });
    const turn = await ask([choiceAt(server.url, vendor)]);
    expect(turn.said).toBe('Done.');
    expect(asked).toEqual([new URL(server.url).origin]);
    expect(elsewhere.requests).toEqual([]);
    expect(JSON.stringify(server.requests)).not.toContain('canary-of-the-environment');
  });

  it('shows people how it is asked to think, and nothing of the conversation', async () => {
    await using server = await startStrict(vendor, { key: KEY, story: () => 'call' });
    const { sent } = await tryToolCall(choiceAt(server.url, vendor));
    expect(sent.join()).toMatch(/reasoning|thinking/i);
    expect(sent.join()).not.toMatch(/contents|messages|systemInstruction|toolConfig|input /);
  });

  it('follows no redirect', async () => {
    await using elsewhere = await startVendor((response) => vendor.answer(response, 'words'));
    await using server = await startVendor((response) => response.writeHead(307, { location: elsewhere.url }).end());
    const error = await failure(ask([choiceAt(server.url, vendor)]));
    expect(error.code).toBe('model_unavailable');
    expect(elsewhere.requests).toEqual([]);
  });

  it('is refused without its key, in words that name the variable', () => {
    const { provider, name } = vendor;
    const models = createModels({ keys: {}, baseUrls: { [provider]: 'http://127.0.0.1:9/v1' } });
    expect(() => models.choice(name)).toThrow(`needs ${providerNames[provider].keyVariable}`);
  });
});
