import * as z from 'zod';
import type { ProjectFolder } from './project-folder.ts';

const text = z.string().catch('');
const names = z.record(z.string(), z.unknown()).catch({});

/**
 * The fields of a package.json that we read. A field of the wrong shape counts as absent: the package manager will say
 * so.
 */
const packageSchema = z.object({
  scripts: z.record(z.string(), text).catch({}).optional(),
  packageManager: text.optional(),
  dependencies: names.optional(),
  devDependencies: names.optional(),
  optionalDependencies: names.optional(),
  workspaces: z.unknown().optional(),
});
export type NodePackage = z.infer<typeof packageSchema>;

/** Reads a package.json; null where there is none that is one. */
export async function readPackage(folder: ProjectFolder, path: string): Promise<NodePackage | null> {
  const content = await folder.read(path);
  if (content === null) return null;
  try {
    const parsed = packageSchema.safeParse(JSON.parse(content.replace(/^\uFEFF/, '')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // not JSON: the package manager reports it when it runs
  }
}

/** The scripts that run tests, by the names that people give them, the best first. */
const TEST_SCRIPTS = ['test', 'test:unit', 'test:ci', 'test:all', 'tests', 'unit'];

/** The package's script for its tests; null for none. `npm init` writes one that only fails; it is no test. */
export function testScript({ scripts = {} }: NodePackage): string | null {
  const isTest = (script: string) => script.trim() !== '' && !/no test specified/i.test(script);
  return TEST_SCRIPTS.find((name) => isTest(scripts[name] ?? '')) ?? null;
}

/** Whether it depends on a package by name. */
export function dependsOn({ dependencies, devDependencies }: NodePackage, name: string): boolean {
  return [dependencies, devDependencies].some((listed) => listed !== undefined && Object.hasOwn(listed, name));
}

export function hasDependencies({ dependencies, devDependencies, optionalDependencies }: NodePackage): boolean {
  return [dependencies, devDependencies, optionalDependencies].some((listed) => Object.keys(listed ?? {}).length > 0);
}
