import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { strictPackages } from './strict-packages.ts';
import { refuse, startVendor, type VendorServer, type WireRequest } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

type Body = WireRequest['body'];

/** A model at a server that refuses what its vendor refuses, and whatever does not ask for thoughts. */
export interface StrictVendor {
  /** The model's configured name. */
  readonly name: string;
  /** The vendor's own address, where it is known by that. */
  readonly at?: string;
  /** What is wrong with a body; null: the model thinks. */
  fault(body: Body): string | null;
  readonly source: string;
}

const at = (body: Body, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);

/** A rule that a member is one of these values, and that no other member of thoughts is there. */
function needs(path: string, values: readonly unknown[], ...others: readonly [string, readonly unknown[]][]) {
  const rules = [[path, values] as const, ...others];
  const known = new Set(rules.map(([one]) => one.split('.')[0]));
  return (body: Body): string | null => {
    const wrong = rules.find(([one, allowed]) => !allowed.some((value) => isDeepStrictEqual(at(body, one), value)));
    if (wrong !== undefined) return `${wrong[0]}: unsupported value ${JSON.stringify(at(body, wrong[0]))}`;
    const extra = OTHER_FORMS.find((form) => body[form] !== undefined && !known.has(form));
    return extra === undefined ? null : `${extra}: extra inputs are not permitted`;
  };
}

const OTHER_FORMS = [
  'thinking',
  'output_config',
  'reasoning',
  'reasoning_effort',
  'chat_template_kwargs',
  'enable_thinking',
  'thinking_budget',
];

/** Claude from 4.6 on: adaptive, an effort of the model's, and an answer that it can give. */
const adaptive = (efforts: readonly string[]) => (body: Body) => {
  if (at(body, 'thinking.budget_tokens') !== undefined) return 'thinking.budget_tokens: use adaptive thinking';
  if (Number(body.max_tokens) > 128_000) return 'max_tokens: > 128000';
  if (body.temperature !== undefined) return 'temperature: deprecated for this model';
  return needs('thinking.type', ['adaptive'], ['output_config.effort', efforts])(body);
};

/** Claude 4.5 and older: a budget of 1,024 and more, below `max_tokens`, which the model can give. */
const budget = (most: number) => (body: Body) => {
  const tokens = at(body, 'thinking.budget_tokens');
  if (at(body, 'thinking.type') !== 'enabled') return 'thinking.type: adaptive thinking is not supported on this model';
  if (typeof tokens !== 'number' || tokens < 1_024) return 'thinking.budget_tokens: must be at least 1024';
  if (tokens >= Number(body.max_tokens)) return 'max_tokens: must be greater than thinking.budget_tokens';
  if (Number(body.max_tokens) > most) return `max_tokens: > ${most}`;
  if (body.temperature !== undefined) return 'temperature: may only be 1 when thinking is enabled';
  return at(body, 'output_config.effort') === undefined ? null : 'output_config.effort: not supported';
};

/** OpenAI's Responses API, for an organization that may not have summaries of thoughts. */
const responses = (efforts: readonly string[], most: number) => (body: Body) => {
  if (at(body, 'reasoning.summary') !== undefined) return 'Your organization must be verified to generate summaries.';
  if (Number(body.max_output_tokens) > most) return `max_output_tokens: > ${most}`;
  if (body.store !== false) return 'store: must be false';
  const include = body.include as readonly string[] | undefined;
  if (!include?.includes('reasoning.encrypted_content')) return 'include: thoughts would be lost';
  return needs('reasoning.effort', efforts)(body);
};

const LEVEL_OF_GEMINI = 'generationConfig.thinkingConfig.thinkingLevel';

/** Gemini 2.5: a budget within what the model takes, and within its answer. */
const geminiBudget = (least: number, most: number) => (body: Body) => {
  const budget = at(body, 'generationConfig.thinkingConfig.thinkingBudget');
  if (typeof budget !== 'number' || budget < least || budget > most)
    return `The thinking budget ${budget} is invalid. Please choose a value between ${least} and ${most}.`;
  const longest = Number(at(body, 'generationConfig.maxOutputTokens'));
  return longest > 65_536 || longest <= budget ? 'maxOutputTokens: out of range' : null;
};

/** Claude behind Converse has Anthropic's members beside those of Amazon, whose limit is of answers and thoughts. */
const ofConverse = (rule: (body: Body) => string | null) => (body: Body) => {
  const config = body.inferenceConfig as { maxTokens?: number; temperature?: number } | undefined;
  const fields = body.additionalModelRequestFields as Body | undefined;
  const { anthropic_beta, ...members } = fields ?? {};
  const max_tokens = config?.maxTokens;
  return rule({ ...members, ...(max_tokens !== undefined && { max_tokens }), ...config });
};

/** Nova refuses a limit beside its highest effort. */
const nova = (body: Body) => {
  const isHigh = at(body, 'reasoningConfig.maxReasoningEffort') === 'high';
  if (isHigh && body.max_tokens !== undefined) return 'maxTokens: must be unset with high effort';
  return needs('reasoningConfig.type', ['enabled'], ['reasoningConfig.maxReasoningEffort', THREE])(body);
};

const THREE = ['low', 'medium', 'high'];
const ADAPTIVE_ON_BEDROCK =
  'https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html';
const GEMINI = 'https://ai.google.dev/gemini-api/docs/thinking';

/** The same behind the packages of the SDK. */
const behindPackages: readonly StrictVendor[] = [
  { name: 'google/gemini-3-pro-preview', fault: needs(LEVEL_OF_GEMINI, ['low', 'high']), source: GEMINI },
  { name: 'vertex/gemini-3.1-pro-preview', fault: needs(LEVEL_OF_GEMINI, THREE), source: GEMINI },
  { name: 'google/gemini-3.8-flash', fault: needs(LEVEL_OF_GEMINI, ['minimal', ...THREE]), source: GEMINI },
  {
    name: 'google/gemini-4-hydrogen',
    fault: needs(LEVEL_OF_GEMINI, [...THREE, 'xhigh']),
    source: 'https://ai-sdk.dev/providers/ai-sdk-providers/google',
  },
  { name: 'vertex/gemini-2.5-pro', fault: geminiBudget(128, 32_768), source: GEMINI },
  { name: 'google/gemini-2.5-flash', fault: geminiBudget(1, 24_576), source: GEMINI },
  {
    name: 'azure/gpt-5-mini',
    fault: (body) => responses(['minimal', ...THREE], 128_000)(body),
    source: 'https://learn.microsoft.com/en-us/azure/foundry/openai/how-to/reasoning',
  },
  {
    name: 'bedrock/us.anthropic.claude-opus-4-7',
    fault: ofConverse((body) => adaptive(FIVE)(body)),
    source: ADAPTIVE_ON_BEDROCK,
  },
  {
    name: 'bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0',
    fault: ofConverse((body) => budget(64_000)(body)),
    source: ADAPTIVE_ON_BEDROCK,
  },
  {
    name: 'bedrock/openai.gpt-oss-120b-1:0',
    fault: ofConverse(needs('reasoning_effort', THREE)),
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-openai.html',
  },
  {
    name: 'bedrock/us.amazon.nova-2-lite-v1:0',
    fault: ofConverse(nova),
    source: 'https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html',
  },
  {
    name: 'openrouter/anthropic/claude-opus-4.7',
    fault: needs('reasoning.effort', ['minimal', ...THREE, 'xhigh']),
    source: 'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens',
  },
  {
    name: 'deepseek/deepseek-v4-pro',
    fault: needs('thinking.type', ['enabled'], ['reasoning_effort', ['low', 'high', 'max']]),
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    name: 'groq/openai/gpt-oss-120b',
    fault: needs('reasoning_effort', THREE),
    source: 'https://console.groq.com/docs/reasoning',
  },
  {
    name: 'groq/qwen/qwen3-32b',
    fault: needs('reasoning_effort', ['default'], ['reasoning_format', ['parsed']]),
    source: 'https://console.groq.com/docs/reasoning',
  },
  {
    name: 'cerebras/gpt-oss-120b',
    fault: needs('reasoning_effort', THREE),
    source: 'https://inference-docs.cerebras.ai/capabilities/reasoning',
  },
  ...(
    [
      ['mistral/mistral-medium-3-5', ['high']],
      ['mistral/mistral-large-4-0', THREE],
      ['mistral/zai-glm-5-3', ['low', 'high', 'max']],
    ] as const
  ).map(([name, efforts]) => ({
    name,
    fault: needs('reasoning_effort', efforts),
    source: 'https://docs.mistral.ai/inference/conversations/reasoning',
  })),
  ...(
    [
      ['xai/grok-4.3', THREE],
      ['xai/grok-4.6', [...THREE, 'xhigh']],
    ] as const
  ).map(([name, efforts]) => ({
    name,
    fault: needs('reasoning.effort', efforts),
    source: 'https://docs.x.ai/guides/reasoning',
  })),
];

const CLAUDE = 'https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking';
const MODELS = 'https://platform.claude.com/docs/en/models/overview';
const OPENAI = 'https://developers.openai.com/api/docs/guides/reasoning';
const FIVE = ['low', 'medium', 'high', 'xhigh', 'max'];

/** One of each family, by what its vendor documents. */
export const strictVendors: readonly StrictVendor[] = [
  ...behindPackages,
  { name: 'anthropic/claude-opus-5-5', fault: adaptive(FIVE), source: MODELS },
  { name: 'anthropic/claude-fable-5', fault: adaptive(FIVE), source: MODELS },
  { name: 'anthropic/claude-opus-5', fault: adaptive(FIVE), source: MODELS },
  { name: 'anthropic/claude-haiku-5-5', fault: adaptive(FIVE), source: MODELS },
  { name: 'anthropic/claude-sonnet-5', fault: adaptive(FIVE), source: MODELS },
  { name: 'anthropic/claude-opus-4-8', fault: adaptive(FIVE), source: CLAUDE },
  { name: 'anthropic/claude-opus-4-7', fault: adaptive(FIVE), source: CLAUDE },
  { name: 'anthropic/claude-sonnet-4-6', fault: adaptive(['low', 'medium', 'high', 'max']), source: CLAUDE },
  { name: 'anthropic/claude-sonnet-4-5-20250929', fault: budget(64_000), source: MODELS },
  { name: 'anthropic/claude-haiku-4-5', fault: budget(64_000), source: MODELS },
  { name: 'anthropic/claude-opus-4-1', fault: budget(32_000), source: MODELS },
  { name: 'anthropic/claude-sonnet-4-20250514', fault: budget(64_000), source: MODELS },
  { name: 'openai/gpt-5', fault: responses(['minimal', 'low', 'medium', 'high'], 128_000), source: OPENAI },
  {
    name: 'openai/gpt-5-mini-2025-08-07',
    fault: responses(['minimal', 'low', 'medium', 'high'], 128_000),
    source: OPENAI,
  },
  { name: 'openai/gpt-5-pro', fault: responses(['high'], 272_000), source: OPENAI },
  { name: 'openai/gpt-5-codex', fault: responses(['low', 'medium', 'high'], 128_000), source: OPENAI },
  { name: 'openai/gpt-5.1', fault: responses(['low', 'medium', 'high'], 128_000), source: OPENAI },
  { name: 'openai/gpt-5.2', fault: responses(['low', 'medium', 'high', 'xhigh'], 128_000), source: OPENAI },
  { name: 'openai/gpt-5.2-pro', fault: responses(['medium', 'high', 'xhigh'], 128_000), source: OPENAI },
  { name: 'openai/gpt-5.3-codex', fault: responses(['low', 'medium', 'high', 'xhigh'], 128_000), source: OPENAI },
  { name: 'openai/gpt-5.6', fault: responses(FIVE, 128_000), source: OPENAI },
  { name: 'openai/gpt-6-sol', fault: responses(FIVE, 128_000), source: OPENAI },
  { name: 'openai/o4-mini', fault: responses(['low', 'medium', 'high'], 100_000), source: OPENAI },
  {
    name: 'compatible/deepseek-v4-pro',
    at: 'https://api.deepseek.com/v1',
    fault: needs('thinking.type', ['enabled'], ['reasoning_effort', ['low', 'high', 'max']]),
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    name: 'compatible/gemini-3-pro-preview',
    at: 'https://generativelanguage.googleapis.com/v1beta/openai',
    fault: needs('reasoning_effort', ['low', 'high']),
    source: 'https://discuss.ai.google.dev/t/112648',
  },
  {
    name: 'compatible/gemini-3.8-flash',
    at: 'https://generativelanguage.googleapis.com/v1beta/openai',
    fault: needs('reasoning_effort', ['low', 'medium', 'high']),
    source: 'https://discuss.ai.google.dev/t/118724',
  },
  {
    name: 'compatible/gemini-2.5-flash',
    at: 'https://generativelanguage.googleapis.com/v1beta/openai',
    fault: needs('reasoning_effort', ['low', 'medium', 'high']),
    source: 'https://ai.google.dev/gemini-api/docs/openai',
  },
  {
    name: 'compatible/glm-5.3',
    at: 'https://api.z.ai/api/paas/v4',
    fault: needs('thinking.type', ['enabled'], ['reasoning_effort', ['low', 'high', 'max']]),
    source: 'https://openrouter.ai/z-ai/glm-5.3',
  },
  {
    name: 'compatible/glm-5.2',
    at: 'https://open.bigmodel.cn/api/paas/v4',
    fault: needs('thinking.type', ['enabled'], ['reasoning_effort', ['high', 'max']]),
    source: 'https://docs.bigmodel.cn/cn/guide/start/migrate-to-glm-new',
  },
  {
    name: 'compatible/glm-4.6',
    at: 'https://api.z.ai/api/paas/v4',
    fault: needs('thinking', [{ type: 'enabled' }]),
    source: 'https://docs.z.ai/guides/capabilities/thinking',
  },
  {
    name: 'compatible/kimi-k3',
    at: 'https://api.moonshot.ai/v1',
    fault: needs('reasoning_effort', ['low', 'high', 'max']),
    source: 'https://java.agentscope.io/v2/en/integration/model/kimi',
  },
  {
    name: 'compatible/kimi-k2.6',
    at: 'https://api.moonshot.ai/v1',
    fault: needs('thinking', [{ type: 'enabled' }]),
    source: 'https://platform.kimi.ai/docs/api/models-overview',
  },
  {
    name: 'compatible/MiniMax-M3',
    at: 'https://api.minimax.io/v1',
    fault: needs('thinking', [{ type: 'adaptive' }]),
    source: 'https://java.agentscope.io/v2/en/integration/model/minimax',
  },
  {
    name: 'compatible/qwen3.8-max',
    at: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    fault: needs('enable_thinking', [true]),
    source: 'https://help.aliyun.com/en/model-studio/deep-thinking',
  },
  {
    name: 'compatible/anthropic/claude-opus-4.7',
    at: 'https://openrouter.ai/api/v1',
    fault: needs('reasoning.effort', ['minimal', 'low', 'medium', 'high', 'xhigh']),
    source: 'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens',
  },
  {
    name: 'compatible/gpt-oss-120b',
    at: 'https://api.cerebras.ai/v1',
    fault: needs('reasoning_effort', ['low', 'medium', 'high']),
    source: 'https://inference-docs.cerebras.ai/capabilities/reasoning',
  },
  {
    name: 'compatible/mistral-medium-3-5',
    at: 'https://api.mistral.ai/v1',
    fault: needs('reasoning_effort', ['high', 'none']),
    source: 'https://docs.mistral.ai/inference/conversations/reasoning',
  },
  {
    name: 'compatible/openai/gpt-oss-120b',
    fault: needs(
      'reasoning_effort',
      ['low', 'medium', 'high'],
      ['chat_template_kwargs.reasoning_effort', ['low', 'medium', 'high']],
    ),
    source: 'https://github.com/vllm-project/recipes/blob/main/OpenAI/GPT-OSS.md',
  },
  {
    name: 'compatible/Qwen/Qwen3-235B-A22B-Thinking-2507',
    fault: needs('chat_template_kwargs.enable_thinking', [true]),
    source: 'https://docs.vllm.ai/en/stable/features/reasoning_outputs/',
  },
  {
    name: 'compatible/zai-org/GLM-4.6',
    fault: needs('chat_template_kwargs.enable_thinking', [true]),
    source: 'https://github.com/zai-org/GLM-4.5',
  },
  {
    name: 'compatible/deepseek-ai/DeepSeek-V3.2',
    fault: needs('chat_template_kwargs.thinking', [true]),
    source: 'https://docs.sglang.io/docs/advanced_features/separate_reasoning',
  },
  {
    name: 'compatible/moonshotai/Kimi-K2.5',
    fault: needs('chat_template_kwargs.thinking', [true]),
    source: 'https://huggingface.co/moonshotai/Kimi-K2.5',
  },
  {
    name: 'compatible/qwen3:32b',
    at: 'http://127.0.0.1:11434/v1',
    fault: needs('reasoning_effort', ['low', 'medium', 'high', 'max']),
    source: 'https://github.com/ollama/ollama/blob/main/openai/thinking_test.go',
  },
];

/**
 * The vendor's server, with the address at which the model is configured. A vendor is known by its own address, so what is
 * sent there comes to this machine instead.
 */
export async function startStrict({ name, at: address, fault }: StrictVendor): Promise<VendorServer> {
  const isOf = ({ provider }: { readonly provider: string }) => name.startsWith(`${provider}/`);
  const format = wireFormats.find(isOf);
  const vendorPackage = strictPackages.find(isOf);
  const vendor = await startVendor((response: ServerResponse, { body }) => {
    const message = fault(body);
    if (message === null && format !== undefined) format.whole(response, 'Done.');
    else if (message === null && vendorPackage !== undefined) vendorPackage.answer(response, 'words');
    else refuse(response, 400, { body: { type: 'error', error: { type: 'invalid_request_error', message } } });
  });
  if (address === undefined) return vendor;
  const home = fetch;
  globalThis.fetch = (input, init) => home(String(input).replace(address, vendor.url), init);
  return {
    ...vendor,
    url: address,
    async [Symbol.asyncDispose]() {
      globalThis.fetch = home;
      await vendor[Symbol.asyncDispose]();
    },
  };
}
