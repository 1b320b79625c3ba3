import type { DetectedCommands } from '@sluice/core';
import * as z from 'zod';
import type { ProjectFolder } from './project-folder.ts';

const text = z.string().catch('');
const names = z.record(z.string(), z.unknown()).catch({});

/** What we read of a package.json. A field of the wrong shape counts as absent: the package manager will say so. */
const packageSchema = z.object({
  scripts: z.object({ test: text.optional() }).catch({}).optional(),
  packageManager: text.optional(),
  dependencies: names.optional(),
  devDependencies: names.optional(),
  optionalDependencies: names.optional(),
  workspaces: z.unknown().optional(),
});
type Package = z.infer<typeof packageSchema>;

const managers = ['pnpm', 'yarn', 'npm'] as const;
type Manager = (typeof managers)[number];

const locks = {
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
} as const satisfies Record<Manager, readonly string[]>;

/** A Node project: its own test script, or those of its workspaces. Null where there is neither. */
export async function nodeProject(folder: ProjectFolder): Promise<DetectedCommands | null> {
  const root = await readPackage(folder, 'package.json');
  if (root === null) return null;
  const manager = managerOf(folder, root);
  const hasWorkspaces = root.workspaces !== undefined || folder.has('pnpm-workspace.yaml');
  const test = hasTests(root)
    ? `${manager} test`
    : hasWorkspaces && (await anyPackageHasTests(folder))
      ? workspaceTest(folder, manager, root)
      : null;
  if (test === null) return null;
  const needsInstall =
    hasWorkspaces ||
    [root.dependencies, root.devDependencies, root.optionalDependencies].some(
      (dependencies) => Object.keys(dependencies ?? {}).length > 0,
    );
  return { setup: needsInstall ? install(folder, manager, root) : null, test };
}

/** `npm init` writes a script that only fails; it is no test. */
function hasTests({ scripts }: Package): boolean {
  const script = scripts?.test?.trim() ?? '';
  return script !== '' && !/no test specified/i.test(script);
}

/** The field decides, then the lockfile, then npm. */
function managerOf(folder: ProjectFolder, { packageManager = '' }: Package): Manager {
  const named = managers.find((manager) => packageManager.split('@')[0] === manager);
  return named ?? managers.find((manager) => hasLock(folder, manager)) ?? 'npm';
}

function hasLock(folder: ProjectFolder, manager: Manager): boolean {
  return locks[manager].some((lock) => folder.has(lock));
}

function isModernYarn(folder: ProjectFolder, { packageManager = '' }: Package): boolean {
  return folder.has('.yarnrc.yml') || /^yarn@([2-9]|\d\d)/.test(packageManager);
}

/** From the lockfile exactly as it stands; without one, none is written, as it would end up in the change. */
function install(folder: ProjectFolder, manager: Manager, root: Package): string {
  const locked = hasLock(folder, manager);
  switch (manager) {
    case 'npm':
      return locked ? 'npm ci' : 'npm install --no-package-lock';
    case 'pnpm':
      return locked ? 'pnpm install --frozen-lockfile' : 'pnpm install --no-lockfile';
    case 'yarn':
      if (isModernYarn(folder, root)) return locked ? 'yarn install --immutable' : 'yarn install';
      return locked ? 'yarn install --frozen-lockfile' : 'yarn install --no-lockfile';
  }
}

/** Runs the tests of all workspaces, also after one has failed: a list of failures that stops early hides new ones. */
function workspaceTest(folder: ProjectFolder, manager: Manager, root: Package): string {
  switch (manager) {
    case 'npm':
      return 'npm test --workspaces --if-present';
    case 'pnpm':
      return 'pnpm --recursive --no-bail test';
    case 'yarn':
      return isModernYarn(folder, root) ? 'yarn workspaces foreach --all run test' : 'yarn workspaces run test';
  }
}

async function anyPackageHasTests(folder: ProjectFolder): Promise<boolean> {
  const manifests = folder.files.filter((path) => /^([^/]+\/){1,3}package\.json$/.test(path));
  for (const path of manifests.filter((one) => !one.includes('node_modules/')).slice(0, 100)) {
    const found = await readPackage(folder, path);
    if (found !== null && hasTests(found)) return true;
  }
  return false;
}

async function readPackage(folder: ProjectFolder, path: string): Promise<Package | null> {
  const content = await folder.read(path);
  if (content === null) return null;
  try {
    const parsed = packageSchema.safeParse(JSON.parse(content.replace(/^\uFEFF/, '')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // not JSON: the package manager reports it when it runs
  }
}
