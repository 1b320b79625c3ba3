import type { DetectedCommands } from '@sluice/core/workspace';
import type { ProjectFolder } from './project-folder.ts';

/** Finds the commands of one kind of project in a folder; null where there is none with tests. */
export type Detector = (folder: ProjectFolder) => Promise<DetectedCommands | null>;

/** A folder of the tree that git ignores, because it says so itself. */
const KEPT = '.sluice';

/**
 * Commands of a tool that keeps what it downloads in the home folder, where nothing stays: each command has an empty one.
 * The variables name a folder of the tree instead.
 *
 * @param kept each variable with the name of its folder, behind the option and `=` where it holds options
 */
export function keptInTree(
  kept: Readonly<Record<string, string>>,
  { setup, test }: { readonly setup: readonly string[]; readonly test: string },
): DetectedCommands {
  const variables = Object.entries(kept).map(([name, value]) => {
    const at = value.indexOf('=') + 1;
    return `${name}="${value.slice(0, at)}$PWD/${KEPT}/${value.slice(at)}" `;
  });
  const withVariables = (command: string) => `${variables.join('')}${command}`;
  return {
    setup: [`mkdir -p ${KEPT}`, `echo '*' > ${KEPT}/.gitignore`, ...setup.map(withVariables)].join(' && '),
    test: withVariables(test),
  };
}
