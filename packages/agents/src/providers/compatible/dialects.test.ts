import { expect, it } from 'vitest';
import { dialectNames, dialectOf, dialects } from './dialects.ts';

it.each([
  ['deepseek', 'https://api.deepseek.com/v1', 'deepseek-v4-pro'],
  ['deepseek', 'http://10.0.0.1:8000/v1', 'deepseek-ai/DeepSeek-V4-Flash'],
  ['kimi', 'https://api.moonshot.ai/v1', 'some-model'],
  ['groq', 'https://api.groq.com/openai/v1', 'deepseek-r1-distill-llama-70b'],
  ['cerebras', 'https://api.cerebras.ai/v1', 'gpt-oss-120b'],
  ['openrouter', 'https://openrouter.ai/api/v1', 'google/gemini-3-pro-preview'],
  ['gemini', 'https://generativelanguage.googleapis.com/v1beta/openai', 'gemini-3.1-pro-preview'],
  ['gemini', 'https://europe-west4-aiplatform.googleapis.com/v1/endpoints/openapi', 'google/gemini-3-pro'],
  ['standard', 'https://generativelanguage.googleapis.com/v1beta/openai', 'gemini-2.5-pro'],
  ['gemini', 'http://gateway.example/v1', 'google/gemini-3-flash'],
  ['mistral', 'https://api.mistral.ai/v1', 'devstral-medium'],
  ['standard', 'http://gateway.example/v1', 'gemini-2.5-pro'],
  ['standard', 'https://api.groq.com.evil.example/v1', 'qwen3'],
  ['standard', 'no address', 'qwen3'],
] as const)('speaks %s at %s with %s', (name, baseUrl, model) => {
  expect(dialectOf({ dialect: undefined, baseUrl, model })).toBe(name);
});

it('speaks the dialect that is set, whatever address and model say', () => {
  const at = { baseUrl: 'https://api.deepseek.com/v1', model: 'deepseek-v4-pro' };
  expect(dialectOf({ ...at, dialect: 'vllm' })).toBe('vllm');
});

it('says of each dialect where its rules are written, and when they were read', () => {
  for (const name of dialectNames) {
    expect(dialects[name].source).toMatch(/^https:\/\/\S+/);
    expect(dialects[name].read).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});
