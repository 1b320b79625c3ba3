import { AppError, toAppError } from '@sluice/core/error';
import { BUILTIN_LABEL } from '@sluice/core/pipeline';
import type { ModelChoice } from '../models/model-choice.ts';
import { createBuiltinModel } from './builtin-model.ts';
import { planBlocker } from './plan-blocker.ts';

/** The built-in model as a choice. It is free and always finishes, so its turn limit only catches a bug. */
export function builtinChoice(): ModelChoice {
  return {
    model: createBuiltinModel(),
    name: 'builtin',
    label: BUILTIN_LABEL,
    maxTurns: 2_000,
    contextTokens: null,
    maxOutputTokens: null,
    costUsd: () => 0,
    failureOf,
    planBlocker,
  };
}

/**
 * Passes errors on: there is no provider that could fail, so an error is a bug, except for the timeout of an answer.
 */
function failureOf(error: unknown): AppError {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new AppError('model_timeout', { detail: `${BUILTIN_LABEL}: ${error.message}.` }, { cause: error });
  return toAppError(error);
}
