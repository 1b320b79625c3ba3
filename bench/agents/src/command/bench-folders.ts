import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../../', import.meta.url));

/** Where tasks of other people's repositories are made. Git ignores it: none of their code is committed. */
export const tasksFolder = `${here}tasks`;

/** Where runs are kept, each in a folder of its own. Git ignores it too. */
export const runsFolder = `${here}runs`;

/** The tasks that were written for this bench, so that it runs without anything that has to be fetched. */
export const ownTasksFolder = `${here}fixtures/tasks`;
