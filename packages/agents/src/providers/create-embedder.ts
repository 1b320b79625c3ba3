import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import type { EmbedCall, Embedder } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import type { Usage } from '@sluice/core/pipeline';
import { embedMany, wrapEmbeddingModel } from 'ai';
import { failingModel } from './failing-model.ts';
import type { ModelAccess } from './model-access.ts';
import { embeddingCostUsd } from './model-facts.ts';
import { modelFailure } from './model-failure.ts';
import { embeddingModelProblem, embeds, parseModelName } from './model-name.ts';
import type { ModelTable } from './model-settings-file.ts';
import { providerSettings } from './provider-settings.ts';

const BATCH_TEXTS = 64; // chunks of code, some 500 tokens each: below every vendor's limit of tokens in one request
const TIMEOUT_MS = 120_000; // for one batch; a local model without a GPU needs most of a minute for it

export interface EmbedderOptions extends ModelAccess {
  /** `openai/NAME` or `compatible/NAME`. */
  readonly name: string;
  /** The timeout of each batch, including its retries. */
  readonly timeoutMs?: number;
  /** How often the SDK retries, following the provider's headers. */
  readonly maxRetries?: number;
  /** The operator's settings of models; only the price is used. */
  readonly table?: ModelTable;
  /** Receives the usage of each answer. Tokens that the provider does not count are zero, at an unknown price. */
  readonly onAnswered?: (usage: Usage) => void;
}

const MAX_TOKENS = 1_000_000_000; // far above what one request can hold

/**
 * Makes vectors with a provider's embedding model.
 *
 * @throws Error for a name that `embeddingModelProblem` has something against: configuration is checked before this
 */
export function createEmbedder(options: EmbedderOptions): Embedder {
  const { name, timeoutMs = TIMEOUT_MS, maxRetries = 2, table = {}, onAnswered = () => undefined } = options;
  const parsed = parseModelName(name);
  const problem = embeddingModelProblem(name, options);
  if (parsed === null || parsed.provider === 'builtin' || !embeds(parsed.provider) || problem !== null)
    throw new Error(`The model ${name} ${problem}.`);
  const hosted = { provider: parsed.provider, model: parsed.model };
  const failing = failingModel(name, parsed.provider, options);
  const model = embeddingModel(parsed.provider, parsed.model, options);
  let length: number | null = null;

  function usageOf(counted: number): Usage {
    const isCredible = counted > 0 && counted <= MAX_TOKENS;
    const tokens = isCredible ? Math.ceil(counted) : 0;
    const cost = isCredible ? embeddingCostUsd(hosted, tokens, { access: options, table }) : null;
    return { input_tokens: tokens, output_tokens: 0, cost_usd: cost };
  }

  async function embedBatch(values: string[], { signal, beforeCall }: EmbedCall): Promise<Float32Array[]> {
    const guarded = withCallCheck(model, beforeCall);
    const timeout = AbortSignal.timeout(timeoutMs);
    const abortSignal = AbortSignal.any([signal, timeout]);
    try {
      const { embeddings, usage } = await embedMany({
        model: guarded.model,
        values,
        abortSignal,
        maxRetries,
        maxParallelCalls: 1,
      });
      onAnswered(usageOf(usage.tokens));
      return checked(embeddings, values.length).map((vector) => Float32Array.from(vector));
    } catch (error) {
      signal.throwIfAborted();
      if (guarded.refusal !== null) throw guarded.refusal.reason;
      throw asOutage(modelFailure(failing, timeout.aborted ? tooLong(timeoutMs) : error));
    }
  }

  /** One length for as long as the process lives: vectors of two lengths cannot lie in one index. */
  function checked(vectors: readonly (readonly number[])[], expected: number): readonly (readonly number[])[] {
    if (vectors.length !== expected) throw new Error(`it gave ${vectors.length} vectors for ${expected} texts`);
    const right = length ?? vectors[0]?.length ?? 0;
    for (const vector of vectors)
      if (vector.length === 0 || vector.length !== right || !vector.every(Number.isFinite))
        throw new Error(`it gave a vector that is not ${right || 'a list of'} numbers`);
    length = right || null;
    return vectors;
  }

  return {
    id: name,
    async embed(texts, _purpose, call) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
        call.signal.throwIfAborted();
        vectors.push(...(await embedBatch(texts.slice(at, at + BATCH_TEXTS), call)));
      }
      return vectors;
    },
  };
}

function embeddingModel(provider: 'openai' | 'compatible', model: string, access: ModelAccess): EmbeddingModelV4 {
  const settings = providerSettings(provider, access);
  return provider === 'openai'
    ? createOpenAI(settings).embedding(model)
    : createOpenAICompatible({ name: 'compatible', ...settings }).embeddingModel(model);
}

/** A search has no stage that could end, so vectors that cannot be read are an outage to it. */
function asOutage(error: AppError): AppError {
  if (error.code !== 'model_answer_unreadable') return error;
  return new AppError('model_unavailable', error.details, { cause: error });
}

/** The model with a check before each request. A refusal is kept, because the SDK reports it as the model's failure. */
function withCallCheck(model: EmbeddingModelV4, check: EmbedCall['beforeCall']) {
  const guarded: { refusal: { readonly reason: unknown } | null; readonly model: EmbeddingModelV4 } = {
    refusal: null,
    model: wrapEmbeddingModel({
      model,
      middleware: {
        specificationVersion: 'v4',
        async wrapEmbed({ doEmbed }) {
          await check?.().catch((reason: unknown) => {
            guarded.refusal = { reason };
            throw reason;
          });
          return await doEmbed();
        },
      },
    }),
  };
  return guarded;
}

function tooLong(ms: number): DOMException {
  return new DOMException(`it had not answered after ${ms / 1_000} s`, 'TimeoutError');
}
