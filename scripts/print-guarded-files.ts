import { guardedServices } from '../packages/core/src/publication/guarded-services.ts';
import { printTable } from './print-table.ts';

/** Renders `docs/guarded-files.md`: the files whose publication needs an approval. */
export function printGuardedFilesPage(): string {
  const rows = guardedServices.map(({ service, paths, source }) => [
    `[${service}](${source})`,
    paths.map((path) => `\`${path}\``).join(' '),
  ]);
  return `<!-- Generated from packages/core/src/publication/guarded-services.ts by "npm run gen". -->

# Guarded files

A change to one of these files waits at [the publish gate](states-and-the-gate.md#the-publish-gate) before it is pushed. Hosted
services execute these files, or read from them what to execute, with access to secrets. Each link leads to the documentation
of the service.

A path that ends with a slash is a folder at the root, with all its content. A path that starts with a slash is a file at the
root. Any other is a file name in any folder. \`*\` matches any part of a name. Case is ignored.

Files that a listed file calls (a script, a build file, the code that a build runs) are not on the list.

${printTable(['service', 'paths'], rows)}
`;
}
