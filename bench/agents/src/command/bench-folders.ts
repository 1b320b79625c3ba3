import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../../', import.meta.url));

/** Where tasks of other people's repositories are made. Git ignores it: none of their code is committed. */
export const tasksFolder = `${here}tasks`;

/** Where the tasks of the ready list are made, and the commits that they need are fetched. Git ignores both. */
export const readyFolder = `${here}ready`;
export const clonesFolder = `${here}clones`;

/** A folder of its own for a run that begins now. Git ignores it too. @param kind begins its name */
export function newRunFolder(kind = ''): string {
  return join(here, 'runs', `${kind}${new Date().toISOString().replace(/[:.]/g, '-')}`);
}

/** The tasks that were written for this bench, so that it runs without anything that has to be fetched. */
export const ownTasksFolder = `${here}fixtures/tasks`;
