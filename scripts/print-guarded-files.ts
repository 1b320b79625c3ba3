import { guardedServices } from '../packages/core/src/publication/guarded-services.ts';
import { printTable } from './print-table.ts';

/** `docs/guarded-files.md`: what is published only after a person's word. */
export function printGuardedFilesPage(): string {
  const rows = guardedServices.map(({ service, paths, source }) => [
    `[${service}](${source})`,
    paths.map((path) => `\`${path}\``).join(' '),
  ]);
  return `<!-- Printed from packages/core/src/publication/guarded-services.ts by "npm run gen". -->

# Guarded files

A change that holds one of these files comes to [a separate gate](states-and-the-gate.md#the-publish-gate) before it is
pushed: a hosted service runs them, or is told by them what to run, with somebody's secrets. The link leads to the service's
own documentation.

A path with a slash at the end is a folder of the root with all that is in it, one with a slash at the start a file of the
root, and any other a file's name in any folder. \`*\` stands for any part of a name. Case does not count.

What such a file calls (a script, a build file, the code that a build runs) is not on the list.

${printTable(['service', 'paths'], rows)}
`;
}
