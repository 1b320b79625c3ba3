import { expect, it } from 'vitest';
import { issueAtVendor, type VendorSetup } from '../vendor-issue.ts';

const compatible = ['MODEL_API_KEY', 'MODEL_BASE_URL'] as const;

const setups: readonly VendorSetup[] = [
  {
    server: 'anthropic',
    provider: 'anthropic',
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
    path: '/v1',
  },
  { server: 'openai', provider: 'openai', variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'], path: '/v1' },
  { server: 'google', provider: 'google', variables: ['GOOGLE_API_KEY', 'GOOGLE_BASE_URL'], path: '/v1beta' },
  { server: 'deepseek', provider: 'deepseek', variables: ['DEEPSEEK_API_KEY', 'DEEPSEEK_BASE_URL'], path: '' },
  {
    server: 'openrouter',
    provider: 'openrouter',
    variables: ['OPENROUTER_API_KEY', 'OPENROUTER_BASE_URL'],
    path: '/api/v1',
  },
  { server: 'vllm', provider: 'compatible', variables: compatible, path: '/v1', settings: { dialect: 'vllm' } },
  {
    server: 'qwen',
    provider: 'compatible',
    variables: compatible,
    path: '/compatible-mode/v1',
    // What the vendor's address would tell.
    settings: { extra_body: { enable_thinking: true } },
  },
  {
    server: 'ollama',
    provider: 'compatible',
    variables: compatible,
    path: '/v1',
    settings: { reasoning_effort: 'high' },
  },
];

it.each(setups)(
  'takes an issue to its branch at $server although the process is killed while the coder thinks',
  async (setup) => {
    const { issue, value, server, killed } = await issueAtVendor(setup);
    expect(issue.status).toBe('completed');
    expect(value).toBe('fixed');
    expect(server.requests.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
    // The process that goes on asks with the same bytes, thoughts among them.
    expect(killed).toHaveLength(2);
    expect(killed[1]).toBe(killed[0]);
    expect(server.thoughts).toMatchObject({ altered: 0, lost: 0, foreign: 0 });
    expect(server.thoughts.returned).toBeGreaterThanOrEqual(3);
  },
);
