import { calcPrice, findProvider, type Provider } from '@pydantic/genai-prices';
import type { LanguageModelUsage } from 'ai';
import { baseUrlOf, type ModelAccess, type ModelProvider } from './model-access.ts';
import type { HostedName } from './model-name.ts';
import type { ModelPrice, ModelTable } from './model-settings-file.ts';
import type { SentEffort } from './sent-effort.ts';

/** What a model's answers cost. */
export interface ModelFacts {
  costUsd(usage: LanguageModelUsage): number | null;
}

interface Limits {
  readonly contextTokens: number;
  readonly maxOutputTokens: number | null;
}

/**
 * The limits of unknown models. For vendors, every model that they still sell and that calls tools has at least these. A
 * self-hosted server is often started with less than its model could take; it gets no output cap, because servers reject
 * one that does not fit into their window.
 */
const UNKNOWN: Record<ModelProvider, Limits> = {
  // 32k tokens are more than any step of the loop needs, and tokens reserved for the answer are lost for the question.
  anthropic: { contextTokens: 200_000, maxOutputTokens: 32_000 },
  openai: { contextTokens: 128_000, maxOutputTokens: 16_384 },
  // Every Gemini since 1.5 takes a million tokens; since 2.5 it answers with up to 65,536, thoughts included.
  google: { contextTokens: 1_000_000, maxOutputTokens: 32_000 },
  vertex: { contextTokens: 1_000_000, maxOutputTokens: 32_000 },
  azure: { contextTokens: 128_000, maxOutputTokens: 16_384 },
  // The rest sell models of many makers, and refuse an output cap above the one of the model.
  bedrock: { contextTokens: 128_000, maxOutputTokens: 8_192 },
  openrouter: { contextTokens: 128_000, maxOutputTokens: null },
  deepseek: { contextTokens: 64_000, maxOutputTokens: null },
  groq: { contextTokens: 128_000, maxOutputTokens: null },
  cerebras: { contextTokens: 64_000, maxOutputTokens: null },
  mistral: { contextTokens: 128_000, maxOutputTokens: null },
  xai: { contextTokens: 128_000, maxOutputTokens: null },
  compatible: { contextTokens: 32_768, maxOutputTokens: null },
};

/** The names in the price list, where they are others than ours. */
const LISTED_AS: Readonly<Partial<Record<ModelProvider, string>>> = { vertex: 'google', bedrock: 'aws', xai: 'x-ai' };

const TOKENS_PER_PRICE = 1_000_000;

/** A model's window, input and output together: the operator's, then the list's, then what all models have. */
export function modelWindow(name: HostedName, access: ModelAccess, table: ModelTable): number {
  const listed = listedProvider(name.provider, access);
  const model = listed === null ? null : calcPrice({}, name.model, { provider: listed })?.model;
  return ownFacts(name, table).context_tokens ?? model?.context_window ?? UNKNOWN[name.provider].contextTokens;
}

/**
 * The most that one answer may have in a window that is large enough; null: what the provider allows. A model that thinks
 * gets all that it can give, because its thoughts count; one with a budget of thoughts on top gets what that leaves.
 */
export function answerLimit(
  name: HostedName,
  table: ModelTable,
  { isOn, budgetTokens = 0, maxOutputTokens: most }: SentEffort,
): number | null {
  const own = ownFacts(name, table).max_output_tokens;
  const usual = UNKNOWN[name.provider].maxOutputTokens;
  if (own !== undefined || most === null || usual === null) return own ?? usual;
  return isOn && budgetTokens === 0 ? most : Math.min(usual, most - budgetTokens);
}

function ownFacts({ provider, model }: HostedName, table: ModelTable) {
  return table[`${provider}/${model}`] ?? {};
}

/**
 * A model's prices: from the operator's file first, then from the list prices that come with `@pydantic/genai-prices`.
 * Where neither knows a price, the cost is null: a wrong figure is worse than none.
 */
export function modelFacts(name: HostedName, access: ModelAccess, table: ModelTable): ModelFacts {
  const own = ownFacts(name, table);
  const listed = listedProvider(name.provider, access);
  return {
    costUsd(usage) {
      if (usage.inputTokens === undefined || usage.outputTokens === undefined) return null;
      if (own.price !== undefined) return exact(costOf(own.price, usage));
      return listed === null ? null : listedCost(listed, name.model, usage);
    },
  };
}

/** The cost of these tokens for an embedding model, by the same sources; null where neither knows it. */
export function embeddingCostUsd(name: HostedName, tokens: number, by: { access: ModelAccess; table: ModelTable }) {
  const own = by.table[`${name.provider}/${name.model}`]?.price;
  if (own !== undefined) return exact((tokens * own.input) / TOKENS_PER_PRICE);
  const listed = listedProvider(name.provider, by.access);
  const result = listed === null ? null : calcPrice({ input_tokens: tokens }, name.model, { provider: listed });
  return result?.model_price.input_mtok === undefined ? null : exact(result.total_price);
}

/** The vendor whose prices hold; for a compatible server the one that is known to live at its address. */
function listedProvider(provider: ModelProvider, access: ModelAccess): Provider | null {
  if (provider !== 'compatible') return findProvider({ providerId: LISTED_AS[provider] ?? provider }) ?? null;
  const providerApiUrl = baseUrlOf(provider, access);
  return providerApiUrl === null ? null : (findProvider({ providerApiUrl }) ?? null);
}

function listedCost(provider: Provider, model: string, usage: LanguageModelUsage): number | null {
  const { noCacheTokens, cacheReadTokens, cacheWriteTokens } = inputTokens(usage);
  const result = calcPrice(
    {
      input_tokens: noCacheTokens + cacheReadTokens + cacheWriteTokens,
      cache_read_tokens: cacheReadTokens,
      cache_write_tokens: cacheWriteTokens,
      output_tokens: usage.outputTokens ?? 0,
    },
    model,
    { provider },
  );
  // Speech and pictures are not priced by the token: to us such a model would seem to be free.
  const isByToken = result?.model_price.input_mtok !== undefined && result.model_price.output_mtok !== undefined;
  return isByToken ? exact(result.total_price) : null;
}

function costOf(price: ModelPrice, usage: LanguageModelUsage): number {
  const { noCacheTokens, cacheReadTokens, cacheWriteTokens } = inputTokens(usage);
  const input =
    noCacheTokens * price.input +
    cacheReadTokens * (price.cache_read ?? price.input) +
    cacheWriteTokens * (price.cache_write ?? price.input);
  return (input + (usage.outputTokens ?? 0) * price.output) / TOKENS_PER_PRICE;
}

/** The parts of the input, none counted twice: `inputTokens` holds all of them. */
function inputTokens({ inputTokens = 0, inputTokenDetails }: LanguageModelUsage) {
  const cacheReadTokens = inputTokenDetails.cacheReadTokens ?? 0;
  const cacheWriteTokens = inputTokenDetails.cacheWriteTokens ?? 0;
  return {
    noCacheTokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

/** Without the dust of binary fractions: no price is finer than a millionth of a millionth. */
function exact(usd: number): number {
  return Number(usd.toFixed(12));
}

/** A family of models that takes pictures, as its vendor documents it. */
interface SeeingFamily {
  /** Where its models are reached by their vendor's names, with or without the maker before them. */
  readonly providers: readonly HostedName['provider'][];
  readonly models: RegExp;
  readonly source: string;
  /** When the source was read. */
  readonly date: string;
}

const CLAUDE = 'https://platform.claude.com/docs/en/build-with-claude/vision';
const OPENAI = 'https://developers.openai.com/api/docs/guides/images-vision';
const GEMINI = 'https://ai.google.dev/gemini-api/docs/image-understanding';

/** Families of which it is known. What a compatible server runs is not. */
const seeingFamilies: readonly SeeingFamily[] = [
  {
    providers: ['anthropic', 'bedrock', 'openrouter'],
    models: /(?:^|[./])claude-(?!2|instant)/, // all from version 3 on
    source: CLAUDE,
    date: '2026-11-29',
  },
  {
    providers: ['openai', 'azure', 'openrouter'],
    models: /(?:^|\/)gpt-(?:4o|4\.1|[5-9])/,
    source: OPENAI,
    date: '2026-11-29',
  },
  {
    providers: ['openai', 'azure', 'openrouter'],
    // The small models of o1 and o3 take text alone (https://vercel.com/ai-gateway/models/o4-mini.md, the same day).
    models: /(?:^|\/)o(?:1(?!-mini|-preview)|3(?!-mini)|[4-9])/,
    source: OPENAI,
    date: '2026-11-29',
  },
  {
    providers: ['google', 'vertex', 'openrouter'],
    models: /(?:^|\/)gemini-(?!embedding)/,
    source: GEMINI,
    date: '2026-11-29',
  },
];

/** Whether a model takes pictures, by its family, where MODEL_SETTINGS does not say it (`pictures`). */
export function seesPictures({ provider, model }: HostedName): boolean {
  return seeingFamilies.some(({ providers, models }) => providers.includes(provider) && models.test(model));
}
