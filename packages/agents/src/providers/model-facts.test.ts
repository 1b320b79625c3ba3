import { expect, it } from 'vitest';
import { seesPictures } from './model-facts.ts';
import { parseModelName } from './model-name.ts';

it.each([
  ['anthropic/claude-3-haiku-20240307', true],
  ['anthropic/claude-opus-4-6', true],
  ['anthropic/claude-2.1', false],
  ['anthropic/claude-instant-1.2', false],
  ['openai/gpt-5.1-codex', true],
  ['openai/gpt-4.1-mini', true],
  ['openai/gpt-4-0613', false],
  ['openai/gpt-3.5-turbo', false],
  ['openai/o1', true],
  ['openai/o1-mini', false],
  ['openai/o3-mini', false],
  ['openai/o4-mini', true],
  ['azure/gpt-5.2', true],
  ['google/gemini-3-pro', true],
  ['vertex/gemini-2.5-flash', true],
  ['google/gemini-embedding-001', false],
  ['bedrock/us.anthropic.claude-sonnet-4-6', true],
  ['bedrock/openai.gpt-oss-120b-1:0', false],
  ['openrouter/anthropic/claude-opus-4.6', true],
  ['openrouter/deepseek/deepseek-chat', false],
  ['groq/openai/gpt-oss-120b', false],
  ['compatible/gpt-5', false],
])('knows of %s whether it sees: %s', (name, sees) => {
  const parsed = parseModelName(name);
  if (parsed === null || parsed.provider === 'builtin') throw new Error('it has no host');
  expect(seesPictures(parsed)).toBe(sees);
});
