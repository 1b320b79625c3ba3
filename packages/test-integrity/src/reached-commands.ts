import type { CheckCommand } from './check-commands.ts';

const DEEPEST = 5; // commands that run commands

/**
 * The commands that a command runs, with those of the same file that it calls: `npm run test:unit && npm run test:api`,
 * and the targets that a target of make depends on. An unknown command keeps its name, and so does a linter: it is
 * judged by itself.
 */
export function reachedCommands(command: CheckCommand, all: readonly CheckCommand[]): readonly string[] {
  const byName = new Map(all.filter(({ isTest }) => isTest).map((one) => [one.name, one]));
  const reach = (parts: readonly string[], depth: number): readonly string[] =>
    parts.flatMap((part) => {
      const called = depth === 0 ? undefined : byName.get(part);
      return called === undefined ? [part] : reach(calledBy(called), depth - 1);
    });
  return [...new Set(reach(calledBy(command), DEEPEST))];
}

/** What a command runs, in its own words. */
function calledBy({ first = [], parts }: CheckCommand): readonly string[] {
  return [...first, ...parts];
}
