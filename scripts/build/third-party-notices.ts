import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

/** The licences of the packages whose code is in a bundle, which they ask to go with it. */
export function thirdPartyNotices(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.filter((id) => id.startsWith('/') && id.includes('/node_modules/')).map(packageOf));
  const notices = [...folders].map((folder) => {
    const { name, version, license = 'see below' }: Manifest = readManifest(folder);
    return `${name} ${version} (${license})\n\n${licenceText(folder)}\n`;
  });
  return [...new Set(notices)].sort().join(`\n${'-'.repeat(80)}\n\n`);
}

function packageOf(module: string): string {
  let folder = dirname(module);
  // A package may hold a package.json without a name, which only tells of its modules' format.
  while (!existsSync(join(folder, 'package.json')) || readManifest(folder).version === undefined)
    folder = dirname(folder);
  return folder;
}

function licenceText(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  return files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
