/** Shown at the gate as a risk, and as the reason for the failure when such a plan is approved anyway. */
export const MODEL_NEEDED =
  'Writing code needs a model, and none is configured (MODEL=builtin). Configure one, or spell the edit out in the issue: a diff block, a block with file=PATH, or a line "in `PATH` replace `OLD` with `NEW`".';

/** Labels the built-in model's work wherever it is shown. */
export const BUILTIN_LABEL = 'built-in (no model)';
