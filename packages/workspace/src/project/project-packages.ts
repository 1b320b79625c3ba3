import * as z from 'zod';
import { readPackage } from './node-package.ts';
import type { ProjectFolder } from './project-folder.ts';
import { pythonManifest } from './python-manifest.ts';

/**
 * The packages that the root's manifests name, each with the version of its lock file, or the range of the manifest:
 * `vitest 5.1.1`. What they need in turn is left out.
 */
export async function projectPackages(folder: ProjectFolder): Promise<readonly string[]> {
  const found = await Promise.all([npmPackages, pythonPackages, cargoPackages, goPackages].map((read) => read(folder)));
  return found.flat();
}

const npmLockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
});

async function npmPackages(folder: ProjectFolder): Promise<string[]> {
  const root = await readPackage(folder, 'package.json');
  if (root === null) return [];
  const lock = npmLockSchema.safeParse(jsonIn((await folder.read('package-lock.json')) ?? ''));
  const locked = lock.success ? lock.data.packages : {};
  return Object.entries({ ...root.dependencies, ...root.devDependencies }).map(([name, range]) => {
    const version = locked[`node_modules/${name}`]?.version ?? range;
    return typeof version === 'string' ? `${name} ${version}` : name;
  });
}

async function pythonPackages(folder: ProjectFolder): Promise<string[]> {
  const { dependencies, requirements, files } = await pythonManifest(folder);
  const listed = await Promise.all(files.map(async (path) => ((await folder.read(path)) ?? '').split('\n')));
  const given = [...dependencies, ...requirements, ...listed.flat()]
    .map((line) => line.replace(/\s*(#|;).*$/, '').trim())
    .filter((line) => /^[A-Za-z]/.test(line));
  const locks = `${(await folder.read('uv.lock')) ?? ''}\n${(await folder.read('poetry.lock')) ?? ''}`;
  return [...new Set(given)].map((requirement) => {
    const name = /^[\w.-]+/.exec(requirement)?.[0] ?? requirement;
    const version = lockedVersion(locks, name.toLowerCase().replaceAll(/[_.]/g, '-'));
    return version === null ? requirement : `${name} ${version}`;
  });
}

async function cargoPackages(folder: ProjectFolder): Promise<string[]> {
  const lock = (await folder.read('Cargo.lock')) ?? '';
  const found: string[] = [];
  let inside = false;
  for (const line of ((await folder.read('Cargo.toml')) ?? '').split('\n')) {
    if (/^\s*\[/.test(line)) inside = /^\s*\[(?:workspace\.)?(?:dev-)?dependencies\]/.test(line);
    const [, name, version] = /^([\w-]+)\s*=\s*(?:"([^"]*)"|\{.*)/.exec(inside ? line : '') ?? [];
    if (name !== undefined) found.push(`${name} ${lockedVersion(lock, name) ?? version ?? ''}`.trim());
  }
  return found;
}

async function goPackages(folder: ProjectFolder): Promise<string[]> {
  const lines = ((await folder.read('go.mod')) ?? '').split('\n');
  return lines.flatMap((line) => {
    const [, name, version] = /^\s*(?:require\s+)?([\w.-]+\.[\w./-]+)\s+(v\S+)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [`${name} ${version}`];
  });
}

/** The version of a package in a lock file that lists `name = "x"` and, on the next line, `version = "y"`. */
function lockedVersion(lock: string, name: string): string | null {
  const at = lock.indexOf(`\nname = "${name}"\nversion = "`);
  return at < 0 ? null : (/version = "([^"\n]+)"/.exec(lock.slice(at, at + 300))?.[1] ?? null);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
