import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

/** The tools with which repositories are built and tested. Missing ones are skipped. */
const tools = [
  'node',
  'npm',
  'npx',
  'pnpm',
  'yarn',
  'corepack',
  'bun',
  'deno',
  'python3',
  'python',
  'pip',
  'pytest',
  'uv',
  'poetry',
  'tox',
].concat([
  'cargo',
  'rustc',
  'go',
  'java',
  'javac',
  'mvn',
  'gradle',
  'ruby',
  'bundle',
  'php',
  'composer',
  'dotnet',
  'make',
  'cmake',
  'gcc',
  'clang',
  'git',
]);

/** Folders that bwrap mounts itself, or that hold the state of the machine and no toolchains. */
const neverBelow = ['/proc', '/sys', '/dev', '/run', '/var/run', '/etc', '/boot', '/workspace'];
const neverItself = [
  '/',
  '/home',
  '/root',
  '/opt',
  '/usr',
  '/var',
  '/tmp',
  '/mnt',
  '/srv',
  '/media',
  '/snap',
  '/nix',
  '/Users',
];
/** Folders of a home that hold programs and much else: only their `bin` folder is made visible. */
const binOnly = ['.local', '.cargo', '.config', '.cache', '.gem', '.npm', '.m2', '.composer', '.docker'];

export interface ToolchainQuery {
  /** The PATH to look in. */
  readonly path: string;
  /** Further visible folders, chosen by the operator. */
  readonly readPaths: readonly string[];
  /** Folders that must never be visible, nor may any folder that contains them or that they contain. */
  readonly hideRoots: readonly string[];
  /** Folders that the service runs from. They are hidden, but folders that contain them and toolchains in them may be visible. */
  readonly serviceFolders: readonly string[];
}

export interface Toolchains {
  /** Folders to mount read-only, sorted, none inside another. /usr is always visible and not listed. */
  readonly readPaths: readonly string[];
  /** PATH inside the sandbox. */
  readonly path: string;
  /** Variables that the toolchains need to find their files. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders chosen by the operator that are not made visible, with the reason. */
  readonly refused: readonly string[];
  /** Hidden folders inside visible ones, which must be covered. */
  readonly covered: readonly string[];
}

/** Folders of /usr that many programs share. They cannot be hidden even if the service runs from one. */
const sharedFolder = /^\/usr(?:\/local)?(?:\/(?:bin|etc|games|include|lib\w*(?:\/node_modules)?|sbin|share|src))?$/;

interface Guard {
  readonly homes: readonly string[];
  readonly hidden: readonly string[];
  readonly service: readonly string[];
}

/** Finds the folders in which the machine's toolchains are installed. A home folder or a hidden one is never returned. */
export async function findToolchains(query: ToolchainQuery): Promise<Toolchains> {
  const guard = await guardOf(query);
  const shown = new Set<string>();
  const refused: string[] = [];
  for (const readPath of query.readPaths) {
    const real = await realpath(readPath).catch(() => null);
    const fault = real === null ? 'it does not exist' : faultOf(real, guard);
    if (real !== null && fault === null) shown.add(real);
    else if (fault !== null && !alwaysShown(readPath, guard))
      refused.push(`SANDBOX_READ_PATHS: ${readPath} is ignored: ${fault}`);
  }

  // Entries that a package manager added for its scripts belong to the service's checkout, not to the machine.
  const entries = query.path
    .split(delimiter)
    .filter((entry) => entry.startsWith('/') && !entry.includes('/node_modules/'));
  const programs: { folder: string; real: string }[] = [];
  for (const tool of tools) {
    const program = await findProgram(tool, entries);
    if (program === null) continue;
    programs.push(program);
    for (const folder of await installationOf(program)) {
      for (const part of besideTheService(folder, program.real, guard)) {
        if (faultOf(part, guard) === null) shown.add(part);
      }
    }
  }

  const readPaths = [...shown]
    .sort()
    .filter((path, _, all) => !all.some((other) => other !== path && shows(other, path, guard.service)));
  const visible = (path: string) =>
    alwaysShown(path, guard) || readPaths.some((folder) => shows(folder, path, guard.service));
  const path = new Set<string>();
  for (const entry of entries) {
    const real = await realOrSame(entry);
    if (visible(real)) path.add(real);
  }
  for (const { folder, real } of programs) {
    if (!visible(await realOrSame(folder)) && visible(real)) path.add(dirname(real));
  }
  for (const entry of ['/usr/local/bin', '/usr/bin', '/bin']) path.add(entry);
  const covered = [...new Set([...guard.hidden, ...guard.service])].filter(
    (folder) => folder !== '/usr' && [...readPaths, '/usr'].some((above) => isWithin(folder, above)),
  );
  return { readPaths, path: [...path].join(':'), environment: environmentOf(readPaths), refused, covered };
}

async function guardOf({ hideRoots, serviceFolders }: ToolchainQuery): Promise<Guard> {
  const homes = await homeFolders();
  const service = await Promise.all(serviceFolders.map((folder) => realpath(folder).catch(() => null)));
  return {
    homes,
    hidden: await Promise.all(hideRoots.map(realOrSame)),
    service: service
      .filter((folder) => folder !== null)
      .filter((folder) => !neverItself.includes(folder) && !sharedFolder.test(folder))
      .filter((folder) => !homes.some((home) => isWithin(home, folder))),
  };
}

/** The parts of a program's folder that can be visible. If the service is installed there too, only the program's folder or file. */
function besideTheService(folder: string, program: string, { service }: Guard): string[] {
  if (!service.some((own) => isWithin(own, folder) && isWithin(program, own))) return [folder];
  return [folder, service.includes(dirname(program)) ? program : dirname(program)];
}

/** Whether a path inside a visible folder is visible: no covered folder is in between. */
export function shows(folder: string, path: string, covered: readonly string[]): boolean {
  return isWithin(path, folder) && !covered.some((cover) => isWithin(cover, folder) && isWithin(path, cover));
}

function alwaysShown(path: string, guard: Guard): boolean {
  return coveredByUsr(path) && !guard.service.some((own) => isWithin(path, own));
}

/** The reason why a folder must not be visible, or null. */
function faultOf(path: string, guard: Guard): string | null {
  if (alwaysShown(path, guard)) return 'it is always visible';
  if (neverItself.includes(path) || neverBelow.some((folder) => isWithin(path, folder))) return 'it is a system folder';
  if (guard.homes.some((home) => isWithin(home, path))) return 'it is or contains a home folder';
  if (guard.hidden.some((hidden) => isWithin(path, hidden) || isWithin(hidden, path)))
    return "it overlaps the service's own data";
  if (guard.service.includes(path)) return 'it is the folder that the service runs from';
  return null;
}

/** The folders that a program needs. Most programs are in PREFIX/bin and need PREFIX. */
async function installationOf({ folder, real }: { folder: string; real: string }): Promise<string[]> {
  const found: string[] = [];
  // pyenv, rbenv, asdf: a shim finds the real program in the folder above.
  if (basename(folder) === 'shims') found.push(dirname(await realOrSame(folder)));
  const home = dirname(real);
  const above = dirname(home);
  if (basename(home) === 'shims') found.push(above);
  else if (basename(home) !== 'bin' || binOnly.includes(basename(above))) found.push(home);
  else found.push(above);
  if (basename(above) === '.cargo') found.push(await realOrSame(join(dirname(above), '.rustup')));
  // npm and similar tools are scripts in PREFIX/lib/node_modules. If PREFIX is node's, node makes it visible; but a user may
  // have set it to ~/.local, which holds much else.
  const modules = '/lib/node_modules/';
  const at = real.indexOf(modules);
  return at > 0 ? [real.slice(0, at + modules.length - 1), await realOrSame(folder)] : found;
}

function environmentOf(readPaths: readonly string[]): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const path of readPaths) {
    if (basename(path) === '.rustup') environment.RUSTUP_HOME = path;
    if (basename(path) === '.pyenv') environment.PYENV_ROOT = path;
    if (basename(path) === '.rbenv') environment.RBENV_ROOT = path;
    if (basename(path) === '.asdf') environment.ASDF_DATA_DIR = path;
  }
  return environment;
}

async function findProgram(name: string, folders: readonly string[]): Promise<{ folder: string; real: string } | null> {
  for (const folder of folders) {
    const path = join(folder, name);
    const runs = await access(path, constants.X_OK).then(
      async () => (await stat(path)).isFile(),
      () => false,
    );
    if (runs) return { folder, real: await realpath(path) };
  }
  return null;
}

/** Whether `path` is `folder` or inside it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function coveredByUsr(path: string): boolean {
  return ['/usr', '/bin', '/sbin', '/lib', '/lib64'].some((folder) => isWithin(path, folder));
}

async function homeFolders(): Promise<string[]> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const homes = users.split('\n').map((line) => line.split(':')[5] ?? '');
  // Service accounts have homes such as /usr/sbin or /nonexistent; only those that may hold personal files matter.
  // Users of a directory service, and those that a container invents, are not in that file.
  homes.push(homedir());
  return ['/root', ...homes.filter((home) => home.startsWith('/') && home !== '/' && !coveredByUsr(home))];
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
