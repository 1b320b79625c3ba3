import type { Clock } from '@sluice/core';
import type { ModelChoice } from './model-choice.ts';

const PASSED_OVER_MS = 300_000; // most overloads are over by then, and a wrong key costs one request in five minutes

/** Which models failed a moment ago, so that not every turn waits for them again. One for a whole process. */
export interface AwayModels {
  add(choice: ModelChoice): void;
  /** Those that are here, in order, and after them those that are away: asking one of these is better than giving up. */
  inTurn(choices: readonly ModelChoice[]): readonly ModelChoice[];
}

/** Makes an empty list of the models that are away. A model is on it for five minutes, under its configured name. */
export function createAwayModels(clock: Clock): AwayModels {
  const until = new Map<string, number>();
  return {
    add({ name }) {
      until.set(name, clock.now().getTime() + PASSED_OVER_MS);
    },
    inTurn(choices) {
      const now = clock.now().getTime();
      const isAway = ({ name }: ModelChoice) => (until.get(name) ?? 0) > now;
      return [...choices.filter((choice) => !isAway(choice)), ...choices.filter(isAway)];
    },
  };
}
