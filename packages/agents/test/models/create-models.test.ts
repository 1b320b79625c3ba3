import { findProvider } from '@pydantic/genai-prices';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { longestAnswer } from '../../src/models/longest-answer.ts';
import { createModels } from '../../src/providers/create-models.ts';
import { embeddingModelProblem, modelNameProblem, parseModelName } from '../../src/providers/model-name.ts';
import { ask, KEYS } from './ask.ts';
import { startVendor } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the name of a model', () => {
  it.each([
    ['builtin', { provider: 'builtin' }],
    ['anthropic/claude-haiku-4-5', { provider: 'anthropic', model: 'claude-haiku-4-5' }],
    [
      'compatible/hf.co/unsloth/Qwen3-32B-GGUF:Q4_K_M',
      { provider: 'compatible', model: 'hf.co/unsloth/Qwen3-32B-GGUF:Q4_K_M' },
    ],
    ['compatible/anthropic/claude', { provider: 'compatible', model: 'anthropic/claude' }],
    ['gpt-5', null],
    ['openai/', null],
    ['elsewhere/gemini', null],
    ['OpenAI/gpt-5', null],
    ['openai/gpt 5', null],
    ['openai/gpt-5\n', null],
    ['', null],
  ])('%j is taken apart at the first slash', (name, parsed) => {
    expect(parseModelName(name)).toEqual(parsed);
  });

  const none = { keys: {}, baseUrls: {} };
  it.each([
    ['builtin', none, null],
    ['gpt-5', none, 'is not a model; use builtin, anthropic/NAME, openai/NAME, google/NAME'],
    ['anthropic/claude-haiku-4-5', none, 'needs ANTHROPIC_API_KEY'],
    ['openai/gpt-5', { keys: { openai: '' }, baseUrls: {} }, 'needs OPENAI_API_KEY'],
    [
      'openai/gpt-5',
      { keys: { openai: 'sk-1\n' }, baseUrls: {} },
      'needs OPENAI_API_KEY without spaces and line breaks',
    ],
    ['openai/gpt-5', { keys: { openai: 'sk-1' }, baseUrls: { openai: 'ftp://h' } }, 'OPENAI_BASE_URL to be an http(s)'],
    ['openai/gpt-5', { keys: { openai: 'sk-1' }, baseUrls: {} }, null],
    ['compatible/qwen3', none, 'needs MODEL_BASE_URL'],
    ['compatible/qwen3', { keys: {}, baseUrls: { compatible: 'http://127.0.0.1:11434/v1' } }, null],
  ])('%s has what it needs, or says what it lacks', (name, access, problem) => {
    if (problem === null) expect(modelNameProblem(name, access)).toBeNull();
    else expect(modelNameProblem(name, access)).toContain(problem);
  });

  it('of an embedding model is one of a provider that has some', () => {
    const access = { keys: { openai: 'sk-1', anthropic: 'sk-2' }, baseUrls: {} };
    expect(embeddingModelProblem('openai/text-embedding-3-small', access)).toBeNull();
    expect(embeddingModelProblem('anthropic/claude-haiku-4-5', access)).toContain('no embedding models');
    expect(embeddingModelProblem('builtin', access)).toContain('is not an embedding model');
    expect(embeddingModelProblem('compatible/nomic', access)).toContain('MODEL_BASE_URL');
  });

  it('is refused before a model is made of it', () => {
    expect(() => createModels(none).choice('openai/gpt-5')).toThrow('openai/gpt-5 needs OPENAI_API_KEY');
  });
});

describe('a model', () => {
  it.each(wireFormats)('of $provider takes neither key nor address from the environment', async (format) => {
    await using elsewhere = await startVendor((response) => format.whole(response, 'Wrong.'));
    for (const name of ['ANTHROPIC', 'OPENAI', 'MODEL', 'AI_GATEWAY']) {
      vi.stubEnv(`${name}_API_KEY`, 'canary-of-the-environment');
      vi.stubEnv(`${name}_BASE_URL`, elsewhere.url);
    }
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'canary-of-the-environment');
    vi.stubEnv('OPENAI_ORG_ID', 'canary-of-the-environment');
    vi.stubEnv('OPENAI_PROJECT_ID', 'canary-of-the-environment');
    await using vendor = await startVendor((response) => format.whole(response, 'Right.'));
    const baseUrls = { [format.provider]: vendor.url };
    const keys = format.provider === 'compatible' ? {} : { [format.provider]: KEYS[format.provider] };
    const turn = await ask([createModels({ keys, baseUrls }).choice(format.name)]);
    expect(turn.said).toBe('Right.');
    expect(elsewhere.requests).toEqual([]);
    expect(JSON.stringify(vendor.requests)).not.toContain('canary-of-the-environment');
    if (format.provider === 'compatible') expect(vendor.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('has the window that is known of it, or a careful one', () => {
    const models = createModels({ keys: KEYS, baseUrls: { compatible: 'http://127.0.0.1:11434/v1' } });
    expect(models.choice('anthropic/claude-haiku-4-5')).toMatchObject({
      contextTokens: 200_000,
      maxOutputTokens: 32_000,
    });
    expect(models.choice('openai/gpt-5-mini')).toMatchObject({ contextTokens: 400_000, maxOutputTokens: 16_384 });
    expect(models.choice('openai/gpt-4')).toMatchObject({ contextTokens: 8_192, maxOutputTokens: 16_384 });
    expect(longestAnswer(models.choice('openai/gpt-4'))).toBe(2_048);
    expect(models.choice('openai/never-heard-of')).toMatchObject({ contextTokens: 128_000, maxOutputTokens: 16_384 });
    expect(models.choice('compatible/qwen3')).toMatchObject({ contextTokens: 32_768, maxOutputTokens: null });
    expect(models.choice('builtin')).toMatchObject({ contextTokens: null, maxOutputTokens: null });
  });

  it.each(['anthropic', 'openai'])('of %s costs a figure or null, whichever it is and whatever it used', (provider) => {
    const models = createModels({ keys: KEYS, baseUrls: {} });
    const listed = findProvider({ providerId: provider })?.models ?? [];
    expect(listed.length).toBeGreaterThan(20);
    for (const { id } of listed) {
      const choice = models.choice(`${provider}/${id}`);
      for (const [read, write] of [
        [0, 0],
        [600_000, 300_000],
        [900_000, 900_000],
      ] as const) {
        const cost = choice.costUsd({
          inputTokens: 1_000_000,
          inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: read, cacheWriteTokens: write },
          outputTokens: 1_000,
          outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
          totalTokens: 1_001_000,
        });
        if (cost !== null) expect(cost, id).toBeGreaterThan(0);
      }
    }
  });

  it('has a price where its name or the address of its server is known, and else none', () => {
    const usage = {
      inputTokens: 1_000_000,
      inputTokenDetails: { noCacheTokens: 1_000_000, cacheReadTokens: 0, cacheWriteTokens: 0 },
      outputTokens: 0,
      outputTokenDetails: { textTokens: 0, reasoningTokens: 0 },
      totalTokens: 1_000_000,
    };
    const at = (compatible: string) => createModels({ keys: KEYS, baseUrls: { compatible } });
    const mine = at('http://127.0.0.1:11434/v1');
    expect(mine.choice('builtin').costUsd(usage)).toBe(0);
    expect(mine.choice('openai/gpt-5-mini').costUsd(usage)).toBe(0.25);
    expect(mine.choice('openai/never-heard-of').costUsd(usage)).toBeNull();
    expect(mine.choice('compatible/gpt-5-mini').costUsd(usage)).toBeNull();
    expect(at('https://openrouter.ai/api/v1').choice('compatible/openai/gpt-5-mini').costUsd(usage)).toBe(0.25);
    // Beyond 272,000 tokens it costs twice as much, every one of them.
    expect(mine.choice('openai/gpt-5.4').costUsd(usage)).toBe(5);
  });
});
