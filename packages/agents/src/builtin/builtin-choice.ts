import { AppError, toAppError } from '@sluice/core';
import type { ModelChoice } from '../models/model-choice.ts';
import { createBuiltinModel } from './builtin-model.ts';
import { BUILTIN_LABEL } from './model-needed.ts';

/** The built-in model as a role's choice: it costs nothing, and it ends by itself, so its limit only catches a bug. */
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
  };
}

/** There is no provider that could fail: what it throws is a bug, except that an answer may be cut by its time. */
function failureOf(error: unknown): AppError {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new AppError('model_timeout', { detail: `${BUILTIN_LABEL}: ${error.message}.` }, { cause: error });
  return toAppError(error);
}
