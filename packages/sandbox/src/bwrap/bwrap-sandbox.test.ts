import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sandbox, SandboxResult } from '@sluice/core/workspace';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ScratchTree, scratchTree, treeUser } from '../../test/scratch-tree.ts';
import { ofThisRun, sleeping } from '../../test/sleeping.ts';
import { findControlGroups } from '../limits/control-group.ts';
import { processTree } from '../process/process-tree.ts';
import { createBwrapSandbox } from './bwrap-sandbox.ts';

const path = execFileSync('/bin/sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });
// Without the entries that the test runner has put in front.
const hostPath = path
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');
const asRoot = process.getuid?.() === 0;
let scratch: ScratchTree;
let sandbox: Sandbox;
let root: string;

beforeAll(async () => {
  scratch = await scratchTree();
  root = await scratch.tree('tree');
  sandbox = createBwrapSandbox({ readPaths: [], path, hideRoots: [scratch.data], scratchRoot: scratch.data });
});
afterAll(async () => {
  await scratch[Symbol.asyncDispose]();
});

const run = (command: string, more: Parameters<ScratchTree['command']>[2] = {}): Promise<SandboxResult> =>
  sandbox.run(scratch.command(root, command, more));

test('is usable here and reports only real gaps', async () => {
  const probe = await sandbox.probe();
  expect(probe).toMatchObject({ kind: 'bwrap', usable: true, problem: null });
  for (const folder of probe.readPaths) expect(['/', '/root', '/home', '/etc', '/tmp']).not.toContain(folder);
  expect(await sandbox.probe()).toBe(probe);
});

test('passes the exit code, both streams and their live text through', async () => {
  const live: string[] = [];
  const result = await run('echo out; echo err >&2; exit 9', {
    onOutput: (stream, text) => live.push(`${stream}:${text}`),
  });
  expect(result).toMatchObject({ exitCode: 9, endedBy: 'exit', truncated: false });
  expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  expect(live.sort()).toEqual(['stderr:err\n', 'stdout:out\n']);
  expect((await run('kill -KILL $$')).exitCode).toBe(137);
  expect((await run('no-such-program')).exitCode).toBe(127);
});

test('accepts binary output', async () => {
  const result = await run(`printf 'a\\377\\000b'; head -c 2000 /dev/urandom`);
  expect(result.exitCode).toBe(0);
  expect(result.output.startsWith('a\uFFFD\uFFFDb')).toBe(true);
});

test('runs as the owner of the tree, without capabilities, new privileges or a terminal', async () => {
  const { output } = await run('id -u; id -G; cat /proc/self/status; echo TTY=$(ps -o tty= -p $$); cat /proc/1/status');
  const uid = asRoot ? treeUser : process.getuid?.();
  expect(output.startsWith(`${uid}\n${asRoot ? treeUser : process.getgid?.()}\n`)).toBe(true);
  for (const set of ['CapEff', 'CapPrm', 'CapInh', 'CapAmb'])
    expect(output).toMatch(new RegExp(`^${set}:\\s+0{16}$`, 'm'));
  expect(output).toMatch(/^CapBnd:\s+0{16}$/m);
  expect(output).toMatch(/^NoNewPrivs:\s+1$/m);
  expect(output).toMatch(/^Seccomp:\s+2$/m);
  expect(
    (await run('find /usr -xdev -perm -4000 -name su | head -1 | xargs -I{} {} -c id root </dev/null')).output,
  ).not.toContain('uid=0');
});

test.runIf(asRoot)('refuses a tree that belongs to root, and one whose .git is a symbolic link', async () => {
  const mine = join(scratch.data, 'of-root');
  await mkdir(mine);
  await expect(sandbox.run(scratch.command(mine, 'true'))).rejects.toMatchObject({ code: 'sandbox_failed' });
  const linked = await scratch.tree('linked');
  await symlink('/etc', join(linked, '.git'));
  await expect(sandbox.run(scratch.command(linked, 'true'))).rejects.toMatchObject({ code: 'sandbox_failed' });
  await expect(sandbox.run(scratch.command(join(scratch.data, 'absent'), 'true'))).rejects.toMatchObject({
    code: 'sandbox_failed',
  });
});

test('shows no secret of the host: shadow, home folders, the data folder, other trees', async () => {
  const other = await scratch.tree('other');
  await writeFile(join(other, 'secret'), 'of-another-issue');
  await writeFile(join(scratch.data, 'sluice.db'), 'of-the-service');
  await chmod(join(scratch.data, 'sluice.db'), 0o644);
  const places = [
    '/etc/shadow',
    '/root/.ssh',
    '/root/.bashrc',
    '/home',
    `${scratch.data}/sluice.db`,
    `${other}/secret`,
    '/var/lib',
    '/sys',
    '/etc/ssl/private',
  ];
  const { output } = await run(
    places.map((place) => `ls -d ${place} && echo SEEN ${place}; cat ${place} 2>/dev/null`).join('\n'),
  );
  expect(output).not.toContain('SEEN');
  expect(output).not.toContain('of-');
  expect((await run('ls /')).output.split('\n')).not.toContain('home');
});

test("shows nothing of the service's environment, arguments or processes", async () => {
  process.env.SLUICE_TEST_SECRET = 'hunter2-in-the-environment';
  try {
    const { output } = await run(
      'exec 2>&1; env; cat /proc/1/environ /proc/*/environ /proc/1/cmdline; echo; ls -d /proc/[0-9]* | wc -l',
    );
    expect(output).not.toContain('hunter2');
    expect(output).not.toMatch(/NODE_OPTIONS|VITEST|npm_(?!config)/);
    expect(Number(output.trim().split('\n').at(-1))).toBeLessThan(10);
  } finally {
    delete process.env.SLUICE_TEST_SECRET;
  }
});

test('lets package managers give up at once, because there is no network', async () => {
  const { output } = await run('env');
  expect(output).toMatch(/^npm_config_fetch_retries=0$/m);
  expect(output).toMatch(/^PIP_RETRIES=0$/m);
});

test('passes no file descriptor of the service on', async () => {
  const { output } = await run('for f in /proc/self/fd/*; do readlink $f; done');
  const targets = output
    .trim()
    .split('\n')
    .filter((line) => line !== '/dev/null' && !/^\/proc\/\d+\/fd/.test(line));
  // Only those of its output, which have no name.
  expect(targets).toEqual(['stdout', 'stderr'].map((name) => expect.stringMatching(`/${name} \\(deleted\\)$`)));
});

test('lets a command write only to its tree and a private /tmp', async () => {
  const { output, exitCode } = await run(
    `echo kept > kept; echo x > /tmp/x && echo x > /dev/shm/x && echo x > $HOME/x || exit 1
     for p in /x /etc/x /usr/x /run/x /var/x /dev/x /proc/sys/kernel/hostname ${scratch.data}/x; do echo x > $p && echo WROTE $p; done; exit 0`,
  );
  expect(exitCode).toBe(0);
  expect(output).not.toContain('WROTE');
  expect(await readFile(join(root, 'kept'), 'utf8')).toBe('kept\n');
  expect((await run('ls -A /tmp $HOME /dev/shm')).output).not.toMatch(/\bx\b/);
});

test('mounts .git and the git directory read-only', async () => {
  const tree = await scratch.tree('with-git');
  const gitDir = join(scratch.data, 'cache.git');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: scratch.data, stdio: 'pipe', env: { PATH: path, HOME: '/nonexistent' } });
  git('init', '-q', '-b', 'main', 'origin');
  git(
    '-C',
    'origin',
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.com',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'first commit',
  );
  git('clone', '-q', '--bare', 'origin', gitDir);
  git('--git-dir', gitDir, 'worktree', 'add', '-q', '-b', 'work', join(tree, 'inner'));
  const inner = join(tree, 'inner');
  if (asRoot) await chown(inner, treeUser, treeUser);
  const inside = (command: string) => sandbox.run(scratch.command(inner, command, { gitDir }));
  const read = await inside('git log --oneline && git status --short && git rev-parse --abbrev-ref HEAD');
  expect(read.exitCode).toBe(0);
  expect(read.output).toContain('first commit');
  const before = await readFile(join(inner, '.git'), 'utf8');
  const attempts = await inside(
    `git -c user.name=x -c user.email=x@x commit --allow-empty -m planted; git config core.fsmonitor evil
     echo evil > .git; rm -f .git; mv .git moved; mkdir -p ${gitDir}/hooks && echo evil > ${gitDir}/hooks/post-checkout; echo evil >> ${gitDir}/config
     git init -q . ; true`,
  );
  expect(attempts.endedBy).toBe('exit');
  expect(await readFile(join(inner, '.git'), 'utf8')).toBe(before);
  expect(await readFile(join(gitDir, 'config'), 'utf8')).not.toContain('evil');
  expect(existsSync(join(gitDir, 'hooks', 'post-checkout'))).toBe(false);
  expect(git('--git-dir', gitDir, 'log', '--all', '--oneline').toString()).not.toContain('planted');
});

test('has no network: no DNS, no host listener by TCP or abstract unix socket, no access to the hypervisor', async () => {
  let touched = 0;
  const name = `sluice-test-abstract-${process.pid}`;
  const tcp = createServer((socket) => {
    touched += 1;
    socket.destroy();
  });
  const abstract = createServer(() => {
    touched += 1;
  });
  await new Promise<void>((resolve) => tcp.listen(0, '0.0.0.0', resolve));
  await new Promise<void>((resolve) => abstract.listen(`\0${name}`, resolve));
  const address = tcp.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const script = `
    const net = require('node:net'), dns = require('node:dns');
    const attempt = (name, to) => new Promise((done) => {
      const socket = net.connect(to, () => { console.log('REACHED', name); done(); });
      socket.on('error', (error) => { console.log(name, error.code); done(); });
      setTimeout(() => { socket.destroy(); done(); }, 30_000).unref();
    });
    dns.lookup('example.com', (error) => console.log(error ? 'dns ' + error.code : 'REACHED dns'));
    await attempt('loopback', { host: '127.0.0.1', port: ${port} });
    await attempt('abstract', { path: '\\0${name}' });
    await attempt('internet', { host: '1.1.1.1', port: 53 });
    await attempt('metadata', { host: '169.254.169.254', port: 80 });
  `;
  await writeFile(join(root, 'reach.mjs'), script.replaceAll('require(', 'process.getBuiltinModule('));
  const vsock = 'python3 -c "import socket; socket.socket(40, socket.SOCK_STREAM)" 2>&1 | tail -1';
  const { output } = await run(`node reach.mjs; ${vsock}`);
  tcp.close();
  abstract.close();
  expect(output).not.toContain('REACHED');
  expect(output).toContain('loopback ECONNREFUSED');
  expect(output).toContain('abstract ECONNREFUSED');
  expect(output).toContain('Address family not supported');
  expect(touched).toBe(0);
});

test('forbids new namespaces, mounts and the keyring', async () => {
  const { output } = await run(
    'unshare -U true && echo MADE; unshare -r mount -t tmpfs x /tmp && echo MOUNTED; cat /proc/keys | head -2; true',
  );
  expect(output).not.toContain('MADE');
  expect(output).not.toContain('MOUNTED');
  const call = `python3 -c "import ctypes; libc = ctypes.CDLL(None, use_errno=True); print('keyctl', libc.syscall(250, 0, -3, 0), ctypes.get_errno())"`;
  if (process.arch === 'x64') expect((await run(call)).output).toContain('keyctl -1 1');
});

test('runs the toolchains of PATH inside, including WebAssembly and process workers', async () => {
  const wasm = `new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log('wasm', require('node:os').userInfo().username)`;
  const { output, exitCode } = await run(
    `node -e "${wasm}" && npm --version && git --version && /bin/sh -c 'echo shell'`,
  );
  expect(output).toContain('wasm sandbox');
  expect(output).toContain('shell');
  expect(exitCode).toBe(0);
});

test('finds inside every toolchain that the host has, in the same version', async () => {
  const asks = {
    node: '--version',
    npm: '--version',
    python3: '--version',
    cargo: '--version',
    go: 'version',
    java: '-version',
    mvn: '--version',
  };
  for (const [tool, ask] of Object.entries(asks)) {
    const version = (text: string) => /\d+\.\d+\.\d+/.exec(text)?.[0];
    const has = spawnSync('/bin/sh', ['-c', `cd / && ${tool} ${ask} 2>&1`], {
      env: { PATH: hostPath, HOME: process.env.HOME },
      encoding: 'utf8',
    });
    if (has.status !== 0) continue;
    const inside = await run(`${tool} ${ask}`);
    expect([tool, inside.exitCode, version(inside.output)]).toEqual([tool, 0, version(has.stdout)]);
  }
});

test.runIf(asRoot)('covers a hidden folder inside one that is always visible', async () => {
  const hidden = await mkdtemp('/usr/local/share/sluice-test-hidden-');
  await writeFile(join(hidden, 'secret'), 'of-the-service');
  const covering = createBwrapSandbox({
    readPaths: [],
    path,
    hideRoots: [scratch.data, hidden],
    scratchRoot: scratch.data,
  });
  const { output } = await covering
    .run(scratch.command(root, `ls -A ${hidden}; cat ${hidden}/secret`))
    .finally(() => rm(hidden, { recursive: true }));
  expect(output).not.toMatch(/^secret|of-the-service/m);
});

test('covers token files of toolchains with empty ones', async () => {
  const tools = await mkdtemp('/tmp/sluice-tools-');
  try {
    for (const folder of ['bin', 'etc']) await mkdir(join(tools, folder));
    await chmod(tools, 0o755);
    await writeFile(join(tools, 'bin/go'), '#!/bin/sh\necho it runs\n', { mode: 0o755 });
    for (const name of ['etc/npmrc', 'pip.conf', '.netrc']) await writeFile(join(tools, name), 'token-of-the-registry');
    await writeFile(join(tools, 'etc/other'), 'shown');
    const own = createBwrapSandbox({
      readPaths: [],
      path: `${join(tools, 'bin')}:${path}`,
      hideRoots: [scratch.data],
      scratchRoot: scratch.data,
    });
    const { output } = await own.run(
      scratch.command(root, `go; cat ${tools}/etc/* ${tools}/pip.conf ${tools}/.netrc && echo read`),
    );
    expect(output).toBe('it runs\nshownread\n');
  } finally {
    await rm(tools, { recursive: true });
  }
});

test('waits until the tree is dead when it is cancelled during its start', async () => {
  for (const delay of [0, 1, 3, 6, 10, 15]) {
    const cancel = new AbortController();
    const running = run(`(setsid sleep ${ofThisRun(9191)} &) ; sleep ${ofThisRun(9191)}`, { signal: cancel.signal });
    await pause(delay);
    cancel.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    expect(await sleeping(9191)).toEqual([]);
  }
});

test('rejects with the reason of a signal that was aborted before, and starts nothing', async () => {
  const reason = new Error('cancelled by the user');
  await expect(run('touch started', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(existsSync(join(root, 'started'))).toBe(false);
});

test('kills a stubborn tree within a second of a cancel, and rejects only when all its processes are dead', async () => {
  const cancel = new AbortController();
  const reason = new Error('cancelled');
  const sleep = `sleep ${ofThisRun(4242)}`;
  const stubborn = `trap '' TERM INT HUP; (trap '' TERM; setsid sh -c "trap '' TERM; ${sleep}" & ) ; nohup ${sleep} >/dev/null 2>&1 & ${sleep}`;
  const running = run(stubborn, { signal: cancel.signal });
  await expect.poll(async () => (await sleeping(4242)).length).toBeGreaterThan(2);
  const at = performance.now();
  cancel.abort(reason);
  await expect(running).rejects.toBe(reason);
  expect(performance.now() - at).toBeLessThan(30_000); // a busy machine; the tree itself would live for an hour
  expect(await sleeping(4242)).toEqual([]);
});

test('lets no process outlive a command that ends by itself', async () => {
  const result = await run(
    `setsid nohup sh -c 'sleep ${ofThisRun(3131)}; touch outlived' >/dev/null 2>&1 & (sleep ${ofThisRun(3131)} &) ; exec 1>&- ; exit 3`,
  );
  expect(result).toMatchObject({ endedBy: 'exit', exitCode: 3 });
  expect(result.durationMs).toBeLessThan(30_000); // a busy machine; what it has started would live for an hour
  expect(await sleeping(3131)).toEqual([]);
});

test('ends a command at its timeout', async () => {
  const command = `echo begun; sleep ${ofThisRun(5151)}`;
  let output = '';
  // On a busy machine the time may be over before the command has begun, so it is retried with more.
  for (let timeoutMs = 400; output === ''; timeoutMs *= 2) {
    const result = await run(command, { limits: { timeoutMs } });
    expect(result).toMatchObject({ endedBy: 'timeout', exitCode: null });
    expect(result.durationMs).toBeGreaterThanOrEqual(timeoutMs - 5); // timers may be a hair early
    output = result.output;
  }
  expect(output).toBe('begun\n');
  expect(await sleeping(5151)).toEqual([]);
});

test('limits a fork bomb and kills all of it', async () => {
  let most = 0;
  // Without `exec` the shell itself might reach the limit of processes and end.
  const command = `bomb() { bomb | bomb & }; bomb; exec sleep ${ofThisRun(6161)}`;
  const running = run(command, { limits: { timeoutMs: 2_500, processes: 40 } });
  const watching = setInterval(async () => {
    most = Math.max(most, (await processTree(process.pid)).length);
  }, 50);
  const before = (await processTree(process.pid)).length;
  const result = await running;
  clearInterval(watching);
  expect(result.endedBy).toBe('timeout');
  expect(most - before).toBeLessThan(60);
  expect(await sleeping(6161)).toEqual([]);
});

test('ends a command that exceeds its memory limit', async () => {
  const hog = `node -e "const kept = []; for (;;) kept.push(Buffer.alloc(8 << 20, 1))"`;
  const result = await run(hog, { limits: { memoryBytes: 128 * 2 ** 20 } });
  expect(result).toMatchObject({ endedBy: 'memory', exitCode: null });
});

test('is killed first when the host runs out of memory, and cannot change that', async () => {
  const { output } = await run('exec 2>/dev/null; echo 0 > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj');
  expect(output).toBe('1000\n');
});

const groups = await findControlGroups();
if (!groups.processor) console.warn('The weight of a control group: not run on this machine, which lets none be made.');
test.runIf(groups.processor)("gives a command a third of the service's weight", async () => {
  const cancel = new AbortController();
  const running = run(`sleep ${ofThisRun(7272)}`, { signal: cancel.signal }).catch(() => undefined);
  const pid = await vi.waitUntil(async () => (await sleeping(7272))[0]?.pid, { timeout: 60_000 });
  const weightsNow = async () => {
    // Either `2:cpu,cpuacct:/path` or, for version 2, `0::/path`.
    const memberships = (await readFile(`/proc/${pid}/cgroup`, 'utf8')).split('\n').map((line) => line.split(':'));
    const weights: string[] = [];
    for (const [, names = '', path] of memberships) {
      const file = names === '' ? 'cpu.weight' : 'cpu.shares';
      weights.push(await readFile(`/sys/fs/cgroup/${names}${path}/${file}`, 'utf8').catch(() => ''));
    }
    return weights.filter((weight) => weight !== '');
  };
  // A command starts while its group is being made.
  await expect.poll(weightsNow, { timeout: 60_000 }).toEqual([expect.stringMatching(/^335?\n$/)]);
  cancel.abort();
  await running;
});

test('ends a flood of output, and keeps its head and tail', async () => {
  const result = await run('echo HEAD; yes flood', { limits: { outputBytes: 10_000 } });
  expect(result).toMatchObject({ endedBy: 'output', exitCode: null, truncated: true });
  expect(result.output.startsWith('HEAD\n')).toBe(true);
  expect(Buffer.byteLength(result.output)).toBeLessThan(10_200);
});

test('limits one file by its size, and many files by their sum', async () => {
  const one = await run('head -c 10G /dev/zero > big; echo code $?', { limits: { fileBytes: 4 * 2 ** 20 } });
  expect(one.output).not.toContain('code 0');
  expect((await lstat(join(root, 'big'))).size).toBeLessThanOrEqual(4 * 2 ** 20);
  const many = run('i=0; while :; do i=$((i+1)); head -c 4M /dev/zero > part$i; done', {
    limits: { diskBytes: 64 * 2 ** 20 },
  });
  await expect(many).rejects.toMatchObject({ code: 'disk_limit', message: expect.stringContaining('64 MiB') });
  await run('rm -f part* big');
});

test('refuses to reserve disk space, so that programs fall back to writing', async () => {
  const limits = { fileBytes: 64 * 2 ** 20 };
  const refused = await run('fallocate -l 8M reserved; stat -c %s reserved', { limits });
  expect(refused.output).toMatch(/not supported[\s\S]*^0$/m);
  const older = `python3 -c "
import errno, fcntl, os, struct
f = os.open('older', os.O_CREAT | os.O_RDWR)
space = struct.pack('hhqqiI16x', 0, 0, 0, 8 << 20, 0, 0)
for number in (10, 36, 11, 37, 40, 42, 41, 43, 57):
    try: fcntl.ioctl(f, 0x40305800 | number, space)
    except OSError as error: print(errno.errorcode[error.errno])
print(os.stat('older').st_blocks)"`;
  expect((await run(older, { limits })).output).toBe(`${'ENOTSUP\n'.repeat(9)}0\n`);
  const fallBack = `python3 -c "
import os, sqlite3
f = os.open('written', os.O_CREAT | os.O_RDWR); os.posix_fallocate(f, 0, 8 << 20)
print(os.stat('written').st_size, os.stat('written').st_blocks * 512 >= 8 << 20)
db = sqlite3.connect('rows.db'); db.execute('pragma journal_mode = wal'); db.execute('create table t (n)')
db.executemany('insert into t values (?)', [(n,) for n in range(1000)]); db.commit()
print(db.execute('select count(*) from t').fetchone()[0])"
truncate -s 1G sparse && stat -c '%s %b' sparse
git -c init.defaultBranch=main init -q made && cd made && echo one > a && git add a &&
git -c user.name=a -c user.email=a@b commit -q -m one && git gc -q && git fsck && git log --format=%s`;
  const fell = await run(fallBack, { limits: { ...limits, fileBytes: 2 ** 31 } });
  expect(fell).toMatchObject({ exitCode: 0, output: '8388608 True\n1000\n1073741824 0\none\n' });
  await run('rm -rf reserved older written rows.db* sparse made');
});

test('ends a tree that grows by countless empty files or by deleted files', async () => {
  const empty = `python3 -c "
import os
os.mkdir('many')
for i in range(10**7): os.close(os.open('many/%d' % i, os.O_CREAT))"`;
  await expect(run(empty, { limits: { diskBytes: 32 * 2 ** 20 } })).rejects.toMatchObject({ code: 'disk_limit' });
  const unlinked = `python3 -c "
import os, time
kept = []
for i in range(400):
    f = open('gone', 'wb'); os.unlink('gone'); f.write(bytes(4 << 20)); f.flush(); kept.append(f); time.sleep(0.02)
time.sleep(60)"`;
  await expect(run(unlinked, { limits: { diskBytes: 64 * 2 ** 20 } })).rejects.toMatchObject({ code: 'disk_limit' });
  await run('rm -rf many');
});

test('does not count existing files as growth', async () => {
  const tree = await scratch.tree('heavy');
  await writeFile(join(tree, 'there'), Buffer.alloc(40 * 2 ** 20, 1));
  const at = (await lstat(join(tree, 'there'))).ctimeMs;
  while (Date.now() <= at) await pause(1);
  const result = await sandbox.run(scratch.command(tree, 'sleep 2; echo done', { limits: { diskBytes: 8 * 2 ** 20 } }));
  expect(result).toMatchObject({ endedBy: 'exit', exitCode: 0 });
});

test('limits the size of /tmp', async () => {
  const result = await run(
    'exec 2>&1; head -c 400M /dev/zero | split -b 10M - /tmp/part; df --output=size -m /tmp | tail -1',
    {
      limits: { memoryBytes: 128 * 2 ** 20 },
    },
  );
  expect(result.output).toContain('No space left');
  expect(Number(result.output.trim().split('\n').at(-1))).toBe(64);
});

test('rejects with the error of a listener, after all processes are dead', async () => {
  const fault = new Error('the listener broke');
  const running = run(`echo go; sleep ${ofThisRun(7171)}`, {
    onOutput() {
      throw fault;
    },
  });
  await expect(running).rejects.toMatchObject({ code: 'sandbox_failed', cause: fault });
  expect(await sleeping(7171)).toEqual([]);
});

test('refuses to run commands where bubblewrap is missing or does not work, and names the fix', async () => {
  const options = { readPaths: [], path, hideRoots: [], scratchRoot: scratch.data };
  const missing = createBwrapSandbox({ ...options, path: '/nonexistent' });
  expect(await missing.probe()).toMatchObject({
    usable: false,
    problem: expect.stringContaining('apt-get install bubblewrap'),
  });
  const broken = join(scratch.data, 'broken');
  await mkdir(broken);
  const words = 'echo "bwrap: setting up uid map: Permission denied in /data/hidden" >&2; exit 1';
  await writeFile(
    join(broken, 'bwrap'),
    `#!/bin/sh\n[ "$1" = --help ] && { echo --perms --json-status-fd; exit 0; }\n${words}\n`,
    { mode: 0o755 },
  );
  const failing = createBwrapSandbox({ ...options, path: `${broken}:${path}` });
  expect(await failing.probe()).toMatchObject({
    usable: false,
    problem: expect.stringContaining('user namespaces are disabled'),
  });
  for (const sandbox of [missing, failing]) {
    const refused: unknown = await sandbox
      .run(scratch.command(root, 'touch ran-bare'))
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'sandbox_unavailable' });
    expect(String(refused)).not.toContain('/data/hidden');
  }
  expect(existsSync(join(root, 'ran-bare'))).toBe(false);
});

test('reports a failed start as a sandbox failure, without a path of the host in the detail', async () => {
  const refused: unknown = await sandbox
    .run(scratch.command(root, 'true', { gitDir: join(scratch.data, 'absent.git') }))
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'sandbox_failed' });
  expect(String(refused)).not.toContain(scratch.data);
});
