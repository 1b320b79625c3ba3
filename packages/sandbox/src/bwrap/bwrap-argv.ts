import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isWithin } from '../mounts/toolchains.ts';

/** The path of the working tree inside. */
export const workspaceInside = '/workspace';
export const homeInside = '/tmp/home';

/** The features of the kernel and of this version of bwrap. */
export interface BwrapFeatures {
  /**
   * Whether bwrap runs as root: it makes no user namespace and changes the user inside, so that user needs no access to
   * the folders above the tree.
   */
  readonly asRoot: boolean;
  /** `--size`, from 0.7. */
  readonly size: boolean;
  /** `--disable-userns`, from 0.8. */
  readonly disableUserNamespaces: boolean;
}

/** The user inside. */
export interface RunUser {
  readonly uid: number;
  readonly gid: number;
}

export interface BwrapPlan {
  readonly features: BwrapFeatures;
  readonly user: RunUser;
  readonly root: string;
  readonly gitDir: string | null;
  readonly systemMounts: readonly string[];
  readonly readPaths: readonly string[];
  /** Folders inside the visible ones that are covered by an empty folder. */
  readonly coveredFolders: readonly string[];
  /** Files inside the visible folders that are made unreadable. */
  readonly coveredFiles: readonly string[];
  /** Further files or sockets: host path and path inside. */
  readonly binds: readonly (readonly [host: string, inside: string])[];
  readonly temporaryBytes: number;
  readonly statusFd: number;
  readonly seccompFd: number | null;
  /** File descriptors with the content of generated files, by path inside. */
  readonly files: readonly (readonly [fd: number, inside: string])[];
  readonly argv: readonly string[];
}

/** Files of /etc that compilers, TLS or runtimes need. They hold no secrets; `ssl/private` is not among them. */
const etcFiles = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'ssl/certs',
  'ssl/openssl.cnf',
  'ca-certificates',
].concat(
  [
    'ca-certificates.conf',
    'pki/tls/certs',
    'pki/tls/cert.pem',
    'pki/ca-trust',
    'crypto-policies',
    'localtime',
    'timezone',
    'mime.types',
  ],
  [
    'services',
    'protocols',
    'os-release',
    'debian_version',
    'magic',
    'fonts',
    'python3',
    'perl',
    'maven/m2.conf',
    'maven/logging',
  ],
);

/** The arguments of bwrap. Order matters: a later mount covers an earlier one, so temporary folders precede mounts inside them. */
export async function bwrapArgv(plan: BwrapPlan): Promise<string[]> {
  const { features, user } = plan;
  const sized = features.size ? ['--size', String(plan.temporaryBytes)] : [];
  const argv = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'];
  argv.push(
    '--die-with-parent',
    '--new-session',
    '--hostname',
    'sandbox',
    '--json-status-fd',
    String(plan.statusFd),
    '--cap-drop',
    'ALL',
  );
  if (features.asRoot) {
    // setpriv needs these three to change the user, and then drops them with the others.
    for (const capability of ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP']) argv.push('--cap-add', capability);
  } else {
    argv.push('--unshare-user');
    if (features.disableUserNamespaces) argv.push('--disable-userns');
  }
  if (plan.seccompFd !== null) argv.push('--seccomp', String(plan.seccompFd));

  argv.push(...plan.systemMounts);
  argv.push(
    '--dev',
    '/dev',
    '--perms',
    '1777',
    ...sized,
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--proc',
    '/proc',
    // The service has set the writable files there, above all oom_score_adj; the command must not change them.
    '--remount-ro',
    '/proc',
  );
  argv.push('--perms', '1777', ...sized, '--tmpfs', '/tmp', '--perms', '0777', '--dir', homeInside);
  argv.push('--dir', '/run', '--dir', '/var', '--symlink', '../tmp', '/var/tmp');
  const { gitDir } = plan;
  // A plain clone has its git directory inside the tree, where the mount over `.git` protects it.
  const outerGit = gitDir !== null && !isWithin(gitDir, plan.root) ? [gitDir] : [];
  for (const folder of foldersAbove([...plan.readPaths, ...outerGit, ...plan.binds.map(([, inside]) => inside)])) {
    argv.push('--perms', '0755', '--dir', folder);
  }
  argv.push(...coversAndBinds(plan.coveredFolders, [...plan.readPaths, ...outerGit]));
  // Opening a device through this mount fails.
  for (const path of plan.coveredFiles) argv.push('--ro-bind', '/dev/null', path);
  for (const [fd, inside] of plan.files) argv.push('--perms', '0644', '--ro-bind-data', String(fd), inside);
  for (const [host, inside] of plan.binds) argv.push('--ro-bind', host, inside);
  argv.push('--bind', plan.root, workspaceInside);
  if (await exists(`${plan.root}/.git`)) argv.push('--ro-bind', `${plan.root}/.git`, `${workspaceInside}/.git`);
  argv.push('--remount-ro', '/', '--chdir', '/', '--');
  if (features.asRoot) {
    argv.push('setpriv', '--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups');
    argv.push('--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--');
  }
  argv.push(...plan.argv);
  return argv;
}

/** Mounts empty folders over the covered ones, and the visible folders. Either kind may contain the other. */
function coversAndBinds(covered: readonly string[], shown: readonly string[]): string[] {
  const argv: string[] = [];
  for (const path of [...covered, ...shown].sort()) {
    if (!covered.includes(path)) {
      argv.push('--ro-bind', path, path);
      continue;
    }
    argv.push('--tmpfs', path);
    const inside = foldersAbove(shown).filter((folder) => folder !== path && isWithin(folder, path));
    for (const folder of inside) argv.push('--perms', '0755', '--dir', folder);
  }
  for (const path of covered) argv.push('--remount-ro', path);
  return argv;
}

/** Generated system files: the host's own would reveal its users, and `os.userInfo()` throws for a user without a name. */
export function generatedFiles(user: RunUser): (readonly [inside: string, content: string])[] {
  return [
    [
      '/etc/passwd',
      `root:x:0:0:root:/nonexistent:/bin/sh\nsandbox:x:${user.uid}:${user.gid}:sandbox:${homeInside}:/bin/sh\n`,
    ],
    ['/etc/group', `root:x:0:\nsandbox:x:${user.gid}:\n`],
    ['/etc/hosts', '127.0.0.1 localhost sandbox\n::1 localhost\n'],
    ['/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n'],
  ];
}

/** The arguments that mount the system folders; the same for every command. */
export async function systemMounts(): Promise<string[]> {
  const argv = ['--ro-bind', '/usr', '/usr'];
  for (const name of ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']) {
    const entry = await lstat(`/${name}`).catch(() => null);
    if (entry?.isSymbolicLink()) argv.push('--symlink', await readlink(`/${name}`), `/${name}`);
    else if (entry?.isDirectory()) argv.push('--ro-bind', `/${name}`, `/${name}`);
  }
  const java = (await readdir('/etc').catch(() => [])).filter((name) => /^java-[\w.-]+$/.test(name));
  const files: string[] = [];
  for (const name of [...etcFiles, ...java]) {
    if (await exists(`/etc/${name}`)) files.push(`/etc/${name}`);
  }
  for (const folder of foldersAbove(files)) argv.push('--perms', '0755', '--dir', folder);
  for (const file of files) argv.push('--ro-bind-try', file, file);
  return argv;
}

/** Every folder above these paths, outermost first. bwrap would copy the mode of the host's folder, and 0700 makes them inaccessible. */
function foldersAbove(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].sort((one, other) => one.length - other.length);
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
