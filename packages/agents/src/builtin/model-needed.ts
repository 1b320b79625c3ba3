/** Said at the gate as a risk, and as the reason when such a plan is approved all the same. */
export const MODEL_NEEDED =
  'Writing code needs a model, and none is configured (MODEL=builtin). Configure one, or spell the edit out in the issue: a diff block, a block with file=PATH, or a line "in `PATH` replace `OLD` with `NEW`".';

/** What the built-in model's work is labelled with wherever it shows. */
export const BUILTIN_LABEL = 'built-in (no model)';
