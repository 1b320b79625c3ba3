/** How well the planner's first search matched the files that were changed in the end; both figures are from 0 to 1. */
export interface RetrievalJudgement {
  readonly precision: number;
  readonly recall: number;
}

/** Judges a search. Only files that existed at the base count; null when none of them was changed. */
export function judgeRetrieval(found: {
  readonly retrieved: readonly string[];
  readonly changed: readonly string[];
  readonly atBase: ReadonlySet<string>;
}): RetrievalJudgement | null {
  const changed = new Set(found.changed.filter((path) => found.atBase.has(path)));
  if (changed.size === 0) return null;
  const shown = new Set(found.retrieved);
  const both = [...changed].filter((path) => shown.has(path)).length;
  const precision = shown.size === 0 ? 0 : both / shown.size;
  return { precision, recall: both / changed.size };
}
