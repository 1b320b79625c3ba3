import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** How a program is started so that it finds a C library of at least a version. Empty: the host's own will do. */
export type Launcher = readonly string[];

const RELEASE = 'trixie'; // Debian's first with a newer one than 2.39
const FETCH_MS = 120_000; // some 4 MB and the mirror's list of packages
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1'];
const HOSTS: Readonly<Record<string, { readonly folder: string; readonly loader: string }>> = {
  x64: { folder: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { folder: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/**
 * A launcher for programs that need glibc 2.39. An older Debian gets the libraries of a newer one, without root: they are
 * fetched once from its own mirror with its own keys into the user's cache folder, and used by what this starts alone.
 *
 * @throws Error that says what is missing where they cannot be had
 */
export function newerGlibc(): Launcher {
  if (hasGlibc(2, 39)) return [];
  const host = HOSTS[process.arch];
  if (host === undefined) throw cannot(`there is no glibc 2.39 for ${process.platform}-${process.arch}`);
  const root = join(homedir(), '.cache', 'sluice', `debian-${RELEASE}-${process.arch}`);
  if (!existsSync(root)) fetchInto(root);
  const libraries = join(root, 'usr', 'lib', host.folder);
  return [join(libraries, host.loader), '--library-path', libraries];
}

function hasGlibc(major: number, minor: number): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const [hostMajor = 0, hostMinor = 0] = (report.header?.glibcVersionRuntime ?? '').split('.').map(Number);
  return hostMajor > major || (hostMajor === major && hostMinor >= minor);
}

/** Several test files may do this at once, each in a separate folder; the first one's stays. */
function fetchInto(root: string): void {
  mkdirSync(join(root, '..'), { recursive: true });
  const work = mkdtempSync(`${root}-`);
  try {
    const sources = join(work, 'sources.list');
    writeFileSync(sources, `deb ${debianMirror()} ${RELEASE} main\n`);
    for (const folder of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(work, folder), { recursive: true });
    const places = [
      `Dir::Etc::sourcelist=${sources}`,
      'Dir::Etc::sourceparts=/dev/null',
      `Dir::State::lists=${join(work, 'lists')}`,
      `Dir::Cache=${join(work, 'cache')}`,
      'APT::Sandbox::User=', // another user could not write into this folder
      'APT::Update::Error-Mode=any', // otherwise a mirror that is away is a warning
    ].flatMap((place) => ['-o', place]);
    run('apt-get', ['-qq', ...places, 'update'], work);
    run('apt-get', ['-qq', ...places, 'download', ...PACKAGES.map((name) => `${name}/${RELEASE}`)], work);
    const packages = readdirSync(work).filter((name) => name.endsWith('.deb'));
    if (packages.length < PACKAGES.length) throw cannot('apt-get did not fetch all of its packages');
    for (const name of packages) run('dpkg', ['-x', name, 'root'], work);
    publish(join(work, 'root'), root);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function publish(made: string, root: string): void {
  try {
    renameSync(made, root);
  } catch (error) {
    if (!existsSync(root)) throw error;
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  try {
    execFileSync(command, args, { cwd, stdio: 'pipe', encoding: 'utf8', timeout: FETCH_MS });
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw cannot(`${command} failed: ${stderr.trim() || message}`);
  }
}

/** The mirror, with its options, that this host gets Debian itself from. */
function debianMirror(): string {
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(readIfThere('/etc/os-release'))?.[1];
  if (codename === undefined || !/^ID=debian$/m.test(readIfThere('/etc/os-release'))) {
    throw cannot('this host is no Debian whose mirror has them');
  }
  const parts = '/etc/apt/sources.list.d';
  const files = (existsSync(parts) ? readdirSync(parts) : []).map((name) => join(parts, name));
  for (const text of ['/etc/apt/sources.list', ...files].map(readIfThere)) {
    const line = new RegExp(`^deb\\s+((?:\\[[^\\]]*\\]\\s+)?\\S+)\\s+${codename}\\s`, 'm').exec(text)?.[1];
    if (line !== undefined) return line;
    for (const stanza of text.split(/\n\s*\n/)) {
      const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.+)$`, 'm').exec(stanza)?.[1]?.trim();
      const uri = field('URIs')?.split(/\s+/)[0];
      if (uri === undefined || !(field('Suites') ?? '').split(/\s+/).includes(codename)) continue;
      const keys = field('Signed-By');
      return keys?.startsWith('/') === true ? `[signed-by=${keys}] ${uri}` : uri;
    }
  }
  throw cannot(`no source of Debian ${codename} is configured in /etc/apt`);
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function cannot(why: string): Error {
  return new Error(
    `Chroma's server needs glibc 2.39 (Debian 13, Ubuntu 24.04 or newer), and Debian ${RELEASE}'s libraries could not be had: ${why}.`,
  );
}
