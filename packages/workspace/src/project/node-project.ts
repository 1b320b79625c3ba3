import type { DetectedCommands } from '@sluice/core/workspace';
import { dependsOn, hasDependencies, type NodePackage, readPackage, testScript } from './node-package.ts';
import type { ProjectFolder } from './project-folder.ts';

const managers = ['pnpm', 'yarn', 'bun', 'npm'] as const;
type Manager = (typeof managers)[number];

const locks = {
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
} as const satisfies Record<Manager, readonly string[]>;

/** A Node or Bun project: its own test script, or the scripts of its workspaces. Null where there is none. */
export async function nodeProject(folder: ProjectFolder): Promise<DetectedCommands | null> {
  const root = await readPackage(folder, 'package.json');
  if (root === null) return null;
  const manager = managerOf(folder, root);
  const hasWorkspaces = root.workspaces !== undefined || folder.has('pnpm-workspace.yaml');
  const script = testScript(root);
  const test =
    (script === null ? null : runScript(manager, script)) ??
    (folder.has('nx.json') && dependsOn(root, 'nx') ? 'NX_DAEMON=false npx --no nx run-many --target=test' : null) ??
    (hasWorkspaces && (await anyPackageHasTests(folder)) ? workspaceTest(folder, manager, root) : null);
  if (test === null) return null;
  return { setup: hasWorkspaces || hasDependencies(root) ? install(folder, manager, root) : null, test };
}

/** A project without such a script, by the runner that its test files are written for. */
export async function nodeTestFiles(folder: ProjectFolder): Promise<DetectedCommands | null> {
  const root = await readPackage(folder, 'package.json');
  if (root === null) return null;
  const manager = managerOf(folder, root);
  const test = await runnerTest(folder, manager, root);
  return test === null ? null : { setup: hasDependencies(root) ? install(folder, manager, root) : null, test };
}

function runScript(manager: Manager, script: string): string {
  return script === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${script}`;
}

/** The field decides, then the lockfile, then npm. */
function managerOf(folder: ProjectFolder, { packageManager = '' }: NodePackage): Manager {
  const named = managers.find((manager) => packageManager.split('@')[0] === manager);
  return named ?? managers.find((manager) => hasLock(folder, manager)) ?? 'npm';
}

function hasLock(folder: ProjectFolder, manager: Manager): boolean {
  return locks[manager].some((lock) => folder.has(lock));
}

function isModernYarn(folder: ProjectFolder, { packageManager = '' }: NodePackage): boolean {
  return folder.has('.yarnrc.yml') || /^yarn@([2-9]|\d\d)/.test(packageManager);
}

/** From the lockfile exactly as it stands; without one, none is written, as it would end up in the change. */
function install(folder: ProjectFolder, manager: Manager, root: NodePackage): string {
  const locked = hasLock(folder, manager);
  switch (manager) {
    case 'npm':
      return locked ? 'npm ci' : 'npm install --no-package-lock';
    case 'pnpm':
      return locked ? 'pnpm install --frozen-lockfile' : 'pnpm install --no-lockfile';
    case 'bun':
      return locked ? 'bun install --frozen-lockfile' : 'bun install --no-save';
    case 'yarn':
      if (isModernYarn(folder, root)) return locked ? 'yarn install --immutable' : 'yarn install';
      return locked ? 'yarn install --frozen-lockfile' : 'yarn install --no-lockfile';
  }
}

/**
 * Runs the tests of all workspaces, also after one has failed: a list of failures that stops early hides new ones. Yarn 1
 * stops there, so npm runs them, which needs none of its own files for that.
 */
function workspaceTest(folder: ProjectFolder, manager: Manager, root: NodePackage): string {
  switch (manager) {
    case 'pnpm':
      return 'pnpm --recursive --no-bail test';
    case 'bun':
      return "bun run --filter '*' test";
    case 'yarn':
      if (isModernYarn(folder, root)) return 'yarn workspaces foreach --all run test';
      return 'npm test --workspaces --if-present';
    case 'npm':
      return 'npm test --workspaces --if-present';
  }
}

async function anyPackageHasTests(folder: ProjectFolder): Promise<boolean> {
  const manifests = folder.files.filter((path) => /^([^/]+\/){1,3}package\.json$/.test(path));
  for (const path of manifests.filter((one) => !one.includes('node_modules/')).slice(0, 100)) {
    const found = await readPackage(folder, path);
    if (found !== null && testScript(found) === 'test') return true;
  }
  return false;
}

const TEST_FILE = /(?:^|\/)(?:[^/]+[._-])?(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:tests?|__tests__)\/.+\.[cm]?[jt]sx?$/;
const MAX_TEST_FILES = 20;
const RUNNERS = { vitest: 'vitest run', jest: 'jest', mocha: 'mocha', ava: 'ava' } as const;

/** The runner that test files without a script are written for: one that is installed, Node's own, or Bun's. */
async function runnerTest(folder: ProjectFolder, manager: Manager, root: NodePackage): Promise<string | null> {
  const files = folder.files.filter((path) => TEST_FILE.test(path) && !path.includes('node_modules/'));
  if (files.length === 0) return null;
  const [, command] = Object.entries(RUNNERS).find(([name]) => dependsOn(root, name)) ?? [];
  if (command !== undefined) return `npx --no ${command}`;
  for (const path of files.slice(0, MAX_TEST_FILES)) {
    const text = (await folder.read(path)) ?? '';
    if (/['"]bun:test['"]/.test(text)) return 'bun test';
    if (/['"]node:test['"]/.test(text)) return 'node --test';
  }
  return manager === 'bun' ? 'bun test' : null;
}
