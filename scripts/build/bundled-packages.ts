import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package of somebody else's that a build contains. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The license in its manifest, an SPDX expression as a rule; null where it says nothing. */
  readonly license: string | null;
  readonly folder: string;
}

/** The packages whose code is in a bundle, by the files that it was made from. */
export function bundledPackages(moduleIds: readonly string[]): BundledPackage[] {
  const modules = moduleIds.filter((id) => id.startsWith('/') && id.includes('/node_modules/'));
  return [...new Set(modules.map(folderOf))].map(readPackage);
}

/**
 * Reads the name, the version and the license of a package.
 *
 * @throws Error when the folder holds no package with a name and a version
 */
export function readPackage(folder: string): BundledPackage {
  const { name, version, license } = readManifest(folder);
  if (name === undefined || version === undefined) throw new Error(`${folder} holds no package`);
  return { name, version, license: license ?? null, folder };
}

function folderOf(module: string): string {
  let folder = dirname(module);
  // A package may hold a package.json without a name, which only tells of its modules' format.
  while (!existsSync(join(folder, 'package.json')) || readManifest(folder).version === undefined)
    folder = dirname(folder);
  return folder;
}

function readManifest(folder: string): { name?: string; version?: string; license?: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
