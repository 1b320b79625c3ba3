import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { modelChoices } from '../../apps/server/src/compose/open-models.ts';
import { modelProviders } from '../../apps/server/src/config/model-variables.ts';
import { parseConfig } from '../../apps/server/src/config/parse-config.ts';
import { ask } from '../../packages/agents/test/models/ask.ts';
import { otherServers, startStrict, strictPackages } from '../../packages/agents/test/models/strict-packages.ts';
import { readPage } from './markdown-page.ts';
import { root } from './written-pages.ts';

const KEY = 'a-key-of-a-reader-0001';
const servers = [...strictPackages, ...otherServers];
const blocks = readPage('docs/models.md', root).blocks.filter(({ language }) => language === 'env');

/** The variables of a block, with a key in place of the example, which a configuration refuses. */
function variablesOf(text: string): Record<string, string> {
  const read = Object.entries(parseEnv(text)).map(([name, value]) => [name, value === 'YOUR_KEY' ? KEY : value]);
  return Object.fromEntries(read);
}

describe('a block of docs/models.md for a provider', () => {
  it('is there for Claude, OpenAI, Gemini, OpenRouter, Azure, Bedrock, DeepSeek, Ollama and vLLM', () => {
    const models = blocks.map(({ text }) => variablesOf(text).MODEL?.split('/')[0]);
    expect(models).toEqual([
      ...['anthropic', 'openai', 'google', 'vertex', 'openrouter', 'azure', 'bedrock', 'deepseek'],
      ...['compatible', 'compatible'],
    ]);
  });

  it.each(blocks)('at $place gets an answer of its strict server in each stage', async ({ text }) => {
    const variables = variablesOf(text);
    const server = servers.find(({ name }) => name === variables.MODEL);
    if (server === undefined) throw new Error(`There is no strict server of ${variables.MODEL}.`);
    await using vendor = await startStrict(server, { key: KEY, story: () => 'words' });
    // The block itself starts a server; the test changes only the address.
    expect(() => parseConfig(variables)).not.toThrow();
    const { models } = parseConfig({ ...variables, [modelProviders[server.provider].url]: vendor.url });
    for (const [stage, choices] of Object.entries(modelChoices(models)))
      expect((await ask(choices)).said, stage).toBe('Done.');
  });
});
