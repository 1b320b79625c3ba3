import type { ModelChoice } from '../loop/model-choice.ts';
import { createBuiltinModel } from './builtin-model.ts';
import { BUILTIN_LABEL } from './model-needed.ts';

/** The built-in model as a role's choice: it costs nothing, and it ends by itself, so its limit only catches a bug. */
export function builtinChoice(): ModelChoice {
  return { model: createBuiltinModel(), label: BUILTIN_LABEL, maxTurns: 2_000, costUsd: () => 0 };
}
