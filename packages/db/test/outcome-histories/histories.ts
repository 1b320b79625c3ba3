import { type CloseReason, closeReasons } from '@sluice/core/code-host';
import { type BuildEnd, buildEnds } from '@sluice/core/outcome';
import { randomFrom } from '@sluice/testing';

/** Something that happens to a pull request, so many seconds after what happened before. */
export type Step = { readonly after: number } & (
  | { readonly kind: 'ready' | 'draft' | 'close' | 'reopen' | 'merge' | 'revert' }
  | { readonly kind: 'people'; readonly commits: number }
  | { readonly kind: 'build'; readonly isOurs: boolean; readonly verdict: BuildEnd | null }
  | { readonly kind: 'reason'; readonly reason: CloseReason }
  | { readonly kind: 'review' | 'fix'; readonly cost: number | null; readonly model: string; readonly pushes: boolean }
);

/** The life of one pull request. */
export interface History {
  readonly repo: number;
  readonly isDraft: boolean;
  /** It was opened for an issue that was cancelled meanwhile. */
  readonly isCancelled: boolean;
  readonly models: readonly string[];
  readonly revision: string | null;
  /** The revision of the approved plan; null where none was approved. */
  readonly planRevision: number | null;
  readonly cost: number | null;
  readonly steps: readonly Step[];
}

const MODELS = ['anvil-1', 'anvil-2', 'bellows-9'];
const MAX_STEPS = 14;
const MAX_SECONDS = 90_000; // a day and an hour

/** Makes `count` histories; the same ones for the same seed. */
export function historiesFrom(seed: number, count: number): readonly History[] {
  const random = randomFrom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const among = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const cost = () => (random() < 0.05 ? null : below(400) / 100);

  function stepsFrom(isDraft: boolean): Step[] {
    const steps: Step[] = [];
    let state: 'draft' | 'open' | 'closed' | 'merged' = isDraft ? 'draft' : 'open';
    const possible = {
      draft: ['ready', 'ready', 'close', 'review', 'fix', 'people', 'build', 'build'],
      open: ['draft', 'close', 'merge', 'merge', 'review', 'review', 'fix', 'people', 'build', 'build'],
      closed: ['reopen', 'reason', 'reason', 'build'],
      merged: ['revert', 'build', 'people'],
    } as const;
    const next = { ready: 'open', draft: 'draft', close: 'closed', reopen: 'open', merge: 'merged' } as const;
    for (let left = below(MAX_STEPS); left > 0; left -= 1) {
      const kind: Step['kind'] = among(possible[state]);
      const after = below(MAX_SECONDS);
      if (kind === 'people') steps.push({ after, kind, commits: 1 + below(3) });
      else if (kind === 'build') {
        steps.push({ after, kind, isOurs: random() < 0.7, verdict: random() < 0.2 ? null : among(buildEnds) });
      } else if (kind === 'reason') steps.push({ after, kind, reason: among(closeReasons) });
      else if (kind === 'review' || kind === 'fix') {
        steps.push({ after, kind, cost: cost(), model: among(MODELS), pushes: random() < 0.7 });
      } else {
        steps.push({ after, kind });
        if (kind !== 'revert') state = next[kind];
      }
    }
    return steps;
  }

  return Array.from({ length: count }, () => {
    const isDraft = random() < 0.6;
    return {
      repo: below(3),
      isDraft,
      isCancelled: random() < 0.1,
      models: random() < 0.2 ? ['bellows-9', among(MODELS.slice(0, 2))] : [among(MODELS)],
      revision: among(['p1', 'p2', null]),
      planRevision: among([1, 1, 2, 3, null]),
      cost: cost(),
      steps: stepsFrom(isDraft),
    };
  });
}
