import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Where package managers keep tokens inside of an installation, relative to it. All of them do without. */
const names = [
  'etc/npmrc',
  '.npmrc',
  'pip.conf',
  'etc/pip.conf',
  '.pypirc',
  '.netrc',
  'credentials.toml',
  'credentials',
];

/** Files of the shown folders that may hold a registry's token. They are covered by empty ones, since no secret goes inside. */
export async function credentialFiles(readPaths: readonly string[]): Promise<string[]> {
  const prefixes = ['/usr', '/usr/local'];
  for (const path of readPaths) {
    prefixes.push(path);
    // pyenv and rbenv hold many installations in one folder.
    if (!['.pyenv', '.rbenv'].includes(basename(path))) continue;
    for (const version of await readdir(join(path, 'versions')).catch(() => []))
      prefixes.push(join(path, 'versions', version));
  }
  const found: string[] = [];
  for (const prefix of prefixes) {
    for (const name of names) {
      const entry = await lstat(join(prefix, name)).catch(() => null);
      // A link leads where nothing is shown, or to a file that is found at its own place.
      if (entry?.isFile()) found.push(join(prefix, name));
    }
  }
  return found;
}
