import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Files in which package managers store tokens, relative to their installation. All of them work without. */
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

/** Files in the visible folders that may hold a registry's token. They are covered, because no secret may be visible inside. */
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
      // A link points to something invisible, or to a file that is found at its own path.
      if (entry?.isFile()) found.push(join(prefix, name));
    }
  }
  return found;
}
