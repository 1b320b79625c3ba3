import type { ModelMessage } from 'ai';
import { builtinChoice } from '../builtin/builtin-choice.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import { failingModel } from './failing-model.ts';
import { languageModel } from './language-model.ts';
import type { ModelAccess } from './model-access.ts';
import { modelFacts } from './model-facts.ts';
import { modelFailure } from './model-failure.ts';
import { modelNameProblem, parseModelName } from './model-name.ts';
import type { PriceTable } from './price-file.ts';

export interface ModelsOptions extends ModelAccess {
  /** The operator's facts about models, which override the list prices and windows that come with Sluice. */
  readonly prices?: PriceTable;
}

/** Creates models from their configured names. */
export interface Models {
  /** @throws Error for a name that `modelNameProblem` rejects; the configuration is checked before this. */
  choice(name: string): ModelChoice;
}

/** Resolves configured names to models. Reads no environment variables and makes no calls. */
export function createModels({ keys, baseUrls, prices = {} }: ModelsOptions): Models {
  const access = { keys, baseUrls };
  return {
    choice(name) {
      const parsed = parseModelName(name);
      const problem = modelNameProblem(name, access);
      if (parsed === null || problem !== null) throw new Error(`The model ${name} ${problem}.`);
      if (parsed.provider === 'builtin') return builtinChoice();
      const failing = failingModel(name, parsed.provider, access);
      return {
        model: languageModel(parsed.provider, parsed.model, access),
        name,
        label: name,
        ...modelFacts(parsed, access, prices),
        failureOf: (thrown) => modelFailure(failing, thrown),
        ...(parsed.provider === 'anthropic' && { withCacheMarks }),
      };
    },
  };
}

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks for Anthropic's prompt cache: on the instructions, which the tools go before, and on the last message, so that
 * the next turn reads all that this one has sent at a tenth of its price. The other vendors cache by themselves.
 */
function withCacheMarks(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, at) =>
    message.role === 'system' || at === messages.length - 1
      ? { ...message, providerOptions: { ...message.providerOptions, ...MARK } }
      : message,
  );
}
