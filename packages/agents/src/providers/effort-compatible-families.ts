import { type EffortFamily, LEVEL, MODERATE, READ, THOROUGH } from './effort-family.ts';

/** A family behind OpenAI's chat completions, where the server sets the longest answer. */
const compatible = { stages: THOROUGH, maxOutputTokens: null, date: READ } as const;

const DISABLED = { thinking: { type: 'disabled' } };
const THINKING_ON = { thinking: { type: 'enabled' } };
const ZAI = ['zai', 'zhipuai'];

export const vendorFamilies: readonly EffortFamily[] = [
  {
    ...compatible,
    family: 'DeepSeek at its vendor',
    servers: ['deepseek'],
    models: /^deepseek-(?!chat|coder)/,
    levels: ['low', 'high', 'max'],
    on: { ...THINKING_ON, reasoning_effort: LEVEL },
    off: DISABLED,
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    ...compatible,
    family: 'Gemini 3 Pro',
    servers: ['google'],
    models: /gemini-3-pro/,
    levels: ['low', 'high'],
    on: { reasoning_effort: LEVEL },
    off: null,
    source: 'https://ai.google.dev/gemini-api/docs/openai',
  },
  {
    ...compatible,
    family: 'Gemini 2.5 Pro, and 3 and later',
    servers: ['google'],
    models: /gemini-(?:2\.5-pro|[3-9])/,
    levels: ['low', 'medium', 'high'],
    on: { reasoning_effort: LEVEL },
    off: null,
    source: 'https://ai.google.dev/gemini-api/docs/openai',
  },
  {
    ...compatible,
    family: 'Gemini 2.5 Flash',
    servers: ['google'],
    models: /gemini-2\.5-flash(?!-image)/,
    levels: ['low', 'medium', 'high'],
    on: { reasoning_effort: LEVEL },
    off: { reasoning_effort: 'none' },
    source: 'https://ai.google.dev/gemini-api/docs/openai',
  },
  {
    ...compatible,
    family: 'GLM-5.3 at its vendor',
    servers: ZAI,
    models: /^glm-5\.[3-9]/,
    levels: ['low', 'high', 'max'],
    on: { ...THINKING_ON, reasoning_effort: LEVEL },
    off: null,
    source: 'https://openrouter.ai/z-ai/glm-5.3',
  },
  {
    ...compatible,
    family: 'GLM-5.2 at its vendor',
    servers: ZAI,
    models: /^glm-5\.2/,
    levels: ['high', 'max'],
    on: { ...THINKING_ON, reasoning_effort: LEVEL },
    off: DISABLED,
    source: 'https://docs.bigmodel.cn/cn/guide/start/migrate-to-glm-new',
  },
  {
    ...compatible,
    family: 'GLM-4.5 to 5.1 at their vendor',
    servers: ZAI,
    models: /^glm-(?:4\.[5-9]|5(?!\.\d)|5\.[01])/,
    levels: ['high'],
    on: THINKING_ON,
    off: DISABLED,
    source: 'https://docs.z.ai/guides/capabilities/thinking',
  },
  {
    ...compatible,
    family: 'Kimi K3 at its vendor',
    servers: ['moonshotai'],
    models: /^kimi-k3/,
    levels: ['low', 'high', 'max'],
    on: { reasoning_effort: LEVEL },
    off: null,
    source: 'https://java.agentscope.io/v2/en/integration/model/kimi',
  },
  {
    ...compatible,
    family: 'Kimi K2.5 and K2.6 at their vendor',
    servers: ['moonshotai'],
    models: /^kimi-k2\.[56]/,
    levels: ['high'],
    on: THINKING_ON,
    off: DISABLED,
    source: 'https://platform.kimi.ai/docs/api/models-overview',
  },
  {
    ...compatible,
    family: 'MiniMax M3 at its vendor',
    servers: ['minimax'],
    models: /^minimax-m3(?!\.)/,
    levels: ['high'],
    on: { thinking: { type: 'adaptive' } },
    off: DISABLED,
    source: 'https://java.agentscope.io/v2/en/integration/model/minimax',
  },
  {
    ...compatible,
    family: 'Qwen at its vendor',
    servers: ['dashscope'],
    models: /^qwen(?:3|-plus|-flash|-turbo)(?!.*(?:coder|instruct|embedding|rerank))/,
    levels: ['high'],
    on: { enable_thinking: true },
    off: { enable_thinking: false },
    source: 'https://help.aliyun.com/en/model-studio/deep-thinking',
  },
  {
    ...compatible,
    family: 'Mistral Small 4 and Medium 3.5 behind chat completions',
    servers: ['mistral'],
    models: /^mistral-(?:small-(?:latest|2603)|medium-(?:latest|2604|3[-.]5))$/,
    levels: ['high'],
    on: { reasoning_effort: LEVEL },
    off: { reasoning_effort: 'none' },
    source: 'https://docs.mistral.ai/inference/conversations/reasoning',
  },
  {
    ...compatible,
    family: 'models of OpenRouter',
    servers: ['openrouter', 'openrouter/'],
    models:
      /^(?:anthropic\/claude-(?!3)|openai\/(?:gpt-5(?!.*chat)|gpt-6|gpt-oss|o[134])|google\/gemini-(?:2\.5|[3-9])|deepseek\/deepseek-(?:r1|v3\.[1-9]|v[4-9])|qwen\/qwen3(?!.*(?:coder|instruct))|z-ai\/glm-(?:4\.[5-9]|5)|moonshotai\/kimi-k(?:2\.[5-9]|[3-9])|minimax\/minimax-m)/,
    levels: ['minimal', 'low', 'medium', 'high', 'xhigh'],
    stages: MODERATE,
    on: { reasoning: { effort: LEVEL } },
    off: { reasoning: { effort: 'none' } },
    source: 'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens',
  },
  {
    ...compatible,
    family: 'gpt-oss at Cerebras and Together',
    servers: ['cerebras', 'together'],
    models: /gpt-oss/,
    levels: ['low', 'medium', 'high'],
    stages: MODERATE,
    on: { reasoning_effort: LEVEL },
    off: null,
    source: 'https://inference-docs.cerebras.ai/capabilities/reasoning',
  },
];

const template = (name: string) => ({
  on: { chat_template_kwargs: { [name]: true } },
  off: { chat_template_kwargs: { [name]: false } },
});

/** vLLM, SGLang, llama.cpp: the switch is a variable of the model's chat template. */
const own = { ...compatible, servers: ['own'], levels: ['high'] } as const;

export const ownServerFamilies: readonly EffortFamily[] = [
  {
    ...own,
    family: 'gpt-oss on an own server',
    models: /gpt-oss/,
    levels: ['low', 'medium', 'high'],
    stages: MODERATE,
    on: { reasoning_effort: LEVEL, chat_template_kwargs: { reasoning_effort: LEVEL } },
    off: null,
    source: 'https://github.com/vllm-project/recipes/blob/main/OpenAI/GPT-OSS.md',
  },
  {
    ...own,
    family: 'Qwen3 on an own server',
    models: /qwen-?3(?!.*(?:coder|instruct|embedding|rerank))/,
    ...template('enable_thinking'),
    source: 'https://docs.vllm.ai/en/stable/features/reasoning_outputs/',
  },
  {
    ...own,
    family: 'GLM on an own server',
    models: /glm-?(?:4\.[5-9]|5)/,
    ...template('enable_thinking'),
    source: 'https://github.com/zai-org/GLM-4.5',
  },
  {
    // V3.1 calls no tools while it thinks, and R1 always thinks.
    ...own,
    family: 'DeepSeek on an own server',
    models: /deepseek-v(?:3\.[2-9]|[4-9])/,
    ...template('thinking'),
    source: 'https://docs.sglang.io/docs/advanced_features/separate_reasoning',
  },
  {
    ...own,
    family: 'Kimi on an own server',
    models: /kimi-k2\.[56]/,
    ...template('thinking'),
    source: 'https://huggingface.co/moonshotai/Kimi-K2.5',
  },
  {
    // Ollama refuses the parameter for a model whose template does not think, such as most of hf.co.
    ...compatible,
    family: 'thinking models of Ollama',
    servers: ['ollama'],
    models:
      /^(?:gpt-oss|qwen3(?:\.\d)?(?=[:-]|$)|deepseek-(?:r1|v3\.[1-9]|v[4-9])|glm-(?:4\.[6-9]|5)|magistral)(?!.*(?:coder|instruct|embedding))/,
    levels: ['low', 'medium', 'high'],
    stages: MODERATE,
    on: { reasoning_effort: LEVEL },
    off: { reasoning_effort: 'none' },
    source: 'https://github.com/ollama/ollama/blob/main/openai/thinking_test.go',
  },
];
