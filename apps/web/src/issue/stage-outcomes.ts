import type { Step } from './issue-sentence.ts';

/** What the last test and the last review came to, each in its own words. */
export function stageOutcomes(steps: readonly Step[]): readonly { readonly name: string; readonly detail: string }[] {
  const named = [
    { name: 'Tests', stage: 'test' },
    { name: 'Review', stage: 'review' },
  ] as const;
  return named.flatMap(({ name, stage }) => {
    const last = steps.findLast((step) => step.stage === stage && step.outcome === 'completed');
    return last === undefined || last.detail === null ? [] : [{ name, detail: last.detail }];
  });
}
