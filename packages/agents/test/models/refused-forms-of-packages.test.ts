import { describe, expect, it } from 'vitest';
import { createModels } from '../../src/providers/create-models.ts';
import { ask, failure, PROMPT } from './ask.ts';
import { otherServers, type StrictPackage, strictPackages } from './strict-packages.ts';
import { refuse, startVendor, type VendorServer } from './vendor-server.ts';

const KEY = 'canary-key-of-the-vendor-0001';
const vendors = [...strictPackages, ...otherServers].filter(({ provider }) => provider !== 'compatible');

function modelsAt({ url }: VendorServer, { provider, name }: StrictPackage, settings: object = {}) {
  return createModels({ keys: { [provider]: KEY }, baseUrls: { [provider]: url }, table: { [name]: settings } });
}

/** The words in which each vendor refuses an effort or thoughts. */
const words: Readonly<Record<string, unknown>> = {
  google: [
    { error: { code: 400, message: 'Thinking level is not supported for this model.', status: 'INVALID_ARGUMENT' } },
  ],
  vertex: { error: { code: 400, message: 'Unable to submit request because thinking_budget is not supported.' } },
  azure: { error: { message: "Unsupported parameter: 'reasoning.effort' is not supported with this model." } },
  bedrock: { message: '"thinking.type.enabled" is not supported for this model.' },
  openrouter: { error: { code: 400, message: 'Reasoning is not supported by this endpoint: unsupported parameter' } },
  deepseek: { error: { message: 'reasoning_effort should be one of: low, high' } },
  groq: { error: { message: '`reasoning_effort` is not supported with this model' } },
  cerebras: { message: 'reasoning_effort: Extra inputs are not permitted', type: 'invalid_request_error' },
  mistral: { object: 'error', message: 'reasoning_effort is not enabled for this model', code: 400 },
  xai: { code: 'Client specified an invalid argument', error: 'Model does not support parameter reasoningEffort.' },
  anthropic: { type: 'error', error: { message: "output_config.effort: Input should be 'low', 'medium' or 'high'" } },
  openai: {
    error: { message: "Unsupported value: 'xhigh' is not supported with this model.", param: 'reasoning.effort' },
  },
};

/** A server that refuses each request that asks to think. */
async function startUnthinking(vendor: StrictPackage): Promise<VendorServer> {
  return await startVendor((response, { body }) => {
    const { messages, input, contents, tools, ...rest } = body;
    const isThinking = /"(?:reasoning_?\w*|thinking\w*|effort)":/i.test(JSON.stringify(rest));
    if (isThinking) refuse(response, 400, { body: words[vendor.provider] });
    else vendor.answer(response, 'words');
  });
}

describe.each(vendors)('$name', (vendor) => {
  it('is asked once more without an effort that it refuses, and from then on so', async () => {
    await using server = await startUnthinking(vendor);
    const models = modelsAt(server, vendor, { reasoning_effort: 'high' });
    const first = await ask([models.choice(vendor.name)]);
    expect(first.said).toBe('Done.');
    expect(first.notice).toMatchObject({ text: expect.stringContaining('may think less'), isNew: true });
    const again = await ask([models.choice(vendor.name, 'review')]);
    expect(again.notice).toMatchObject({ isNew: false });
    expect(server.requests).toHaveLength(3);
    expect(models.choice(vendor.name).refusedForms?.()).toEqual(['effort left out']);
    const [tools, ...others] = server.requests.map(({ body }) => JSON.stringify(body.tools ?? body.toolConfig));
    expect(others).toEqual([tools, tools]);
  });

  it('fails with its own sentence where something else is refused, after one request', async () => {
    const message = 'The region of this account may not use models of this kind.';
    await using server = await startVendor((response) => refuse(response, 400, { body: [{ error: { message } }] }));
    const choice = modelsAt(server, vendor, { reasoning_effort: 'high' }).choice(vendor.name);
    const error = await failure(ask([choice]));
    expect(error.code).toBe('model_request_refused');
    expect(error.message).toContain(message);
    expect(server.requests).toHaveLength(1);
  });
});

const known = (provider: string) => vendors.find((vendor) => vendor.provider === provider) as StrictPackage;

it.each(['openai', 'azure', 'mistral'])(
  'leaves a temperature out that %s refuses, and keeps the effort',
  async (provider) => {
    const vendor = { ...known(provider), name: `${provider}/of-no-known-family` };
    await using server = await startVendor((response, { body }) => {
      if (body.temperature === undefined) return vendor.answer(response, 'words');
      refuse(response, 400, { body: { error: { message: "Unsupported parameter: 'temperature' with thinking." } } });
    });
    const choice = modelsAt(server, vendor, { temperature: 0.2 }).choice(vendor.name);
    expect((await ask([choice])).said).toBe('Done.');
    expect(server.requests).toHaveLength(2);
    expect(choice.refusedForms?.()).toEqual(['temperature left out']);
  },
);

it.each(['google', 'mistral'])('sends %s plain schemas where it refuses a keyword of one', async (provider) => {
  const vendor = known(provider);
  await using server = await startVendor((response, _request, count) => {
    if (count > 1) return vendor.answer(response, 'words');
    const message = `Unknown name "additionalProperties" at 'tools[0].function_declarations[0]': Cannot find field.`;
    refuse(response, 400, { body: { error: { code: 400, message } } });
  });
  expect((await ask([modelsAt(server, vendor).choice(vendor.name)])).said).toBe('Done.');
  expect(JSON.stringify(server.requests[1]?.body.tools)).toContain('read_file');
});

it('asks Claude without thoughts where another model made the last call, and forgets it', async () => {
  const vendor = known('anthropic');
  const message =
    'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.';
  await using server = await startVendor((response, { body }) => {
    const isForeign = JSON.stringify(body.messages).includes('tool_use');
    if (isForeign && body.thinking !== undefined)
      refuse(response, 400, { body: { type: 'error', error: { message } } });
    else vendor.answer(response, 'words');
  });
  const choice = modelsAt(server, vendor).choice(vendor.name, 'plan');
  const part = { toolCallId: 'call_1', toolName: 'read_file' };
  const turn = await ask([choice], {
    messages: [
      { role: 'user', content: PROMPT },
      { role: 'assistant', content: [{ type: 'tool-call', ...part, input: { path: 'a' } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...part, output: { type: 'text', value: 'a' } }] },
    ],
  });
  expect(turn.said).toBe('Done.');
  expect(turn.notice).toMatchObject({ isNew: false });
  expect(choice.refusedForms?.()).toEqual([]);
  await ask([choice]);
  expect(server.requests.at(-1)?.body).toHaveProperty('thinking');
});

describe.each(['openai', 'google', 'bedrock'])('no text of %s does away with', (provider) => {
  it.each(['tools', 'store', 'max_output_tokens', 'messages', 'safetySettings'])('%s', async (subject) => {
    const vendor = known(provider);
    for (const message of [
      `Unsupported parameter: '${subject}' is not supported with this model.`,
      `Please remove ${subject}; reasoning.effort and thinking are unexpected beside ${subject}.`,
    ]) {
      await using server = await startVendor((response, _request, count) =>
        count === 1 ? refuse(response, 400, { body: { error: { message } } }) : vendor.answer(response, 'words'),
      );
      const choice = modelsAt(server, vendor, { reasoning_effort: 'high', max_output_tokens: 1_000 }).choice(
        vendor.name,
      );
      await ask([choice]).catch(() => {});
      const [first, ...again] = server.requests.map(({ body }) => body);
      expect(again.length).toBeLessThan(2);
      for (const sent of again)
        for (const name of ['tools', 'toolConfig', 'store', 'max_output_tokens', 'messages', 'input', 'contents'])
          expect([name, sent[name]]).toEqual([name, first?.[name]]);
    }
  });
});
