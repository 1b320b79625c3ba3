/** Why a plan cannot be carried out without a model: a risk of the plan, the gate's blocker, and the reason of the failure. */
export const MODEL_NEEDED =
  'Writing code needs a model, and none is configured (MODEL=builtin). Configure one, or spell the edit out in the issue: a diff block, a block with file=PATH, or a line "in `PATH` replace `OLD` with `NEW`".';
