import { secretsInUrl } from '@sluice/core/text';
import { baseUrlOf, type ModelAccess, type ModelProvider, providerNames } from './model-access.ts';
import type { FailingModel } from './model-failure.ts';

/**
 * The words for the failures of a model, and every secret that must not be in them: those of the other providers as
 * well.
 */
export function failingModel(name: string, provider: ModelProvider, access: ModelAccess): FailingModel {
  const { shown, keyVariable, urlVariable } = providerNames[provider];
  const keys = Object.values(access.keys).filter((key) => key !== '');
  return {
    name,
    server: shown,
    keyVariable,
    urlVariable,
    hasKey: Boolean(access.keys[provider]),
    secrets: [...keys, ...secretsInUrl(baseUrlOf(provider, access) ?? '')],
  };
}
