import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SandboxProbe, SandboxResult } from '@sluice/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ofThisRun } from './test/sleeping.ts';

/** A user of no machine and of no other run, so that its process count is this test's alone. */
const uid = 50_000 + (process.pid % 10_000);
const asRoot = process.getuid?.() === 0;
const results = promisify(execFile);
let data: string;
let root: string;

beforeAll(async () => {
  data = await mkdtemp('/tmp/sluice-user-');
  root = join(data, 'tree');
  await mkdir(root);
  await chmod(data, 0o700);
  if (asRoot) for (const folder of [data, root]) await chown(folder, uid, uid);
});
afterAll(() => rm(data, { recursive: true, force: true, maxRetries: 3 }));

/** Runs commands in the sandbox of a service that is an ordinary user, whoever runs the tests. */
async function asOrdinaryUser(...commands: string[]): Promise<{ probe: SandboxProbe; ran: SandboxResult[] }> {
  const { stdout: path } = await results('/bin/sh', ['-c', 'printf %s "$PATH"']);
  const script = [
    process.execPath,
    fileURLToPath(import.meta.resolve('./test/ordinary-user.ts')),
    data,
    root,
    path,
    ...commands,
  ];
  const drop = [
    'setpriv',
    '--reuid',
    String(uid),
    '--regid',
    String(uid),
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--',
  ];
  const [program = '', ...rest] = asRoot ? [...drop, ...script] : script;
  // The service is started with a descriptor that it knows nothing of, as shells and supervisors do. Node closes low ones at exec
  // by itself, up to the first gap above 15.
  const leaked = openSync(join(data, 'leaked'), 'w');
  const stdio = ['ignore', 'pipe', 'inherit', ...Array.from({ length: 197 }, () => 'ignore' as const), leaked] as const;
  const service = spawn(program, rest, { cwd: data, stdio: [...stdio] });
  closeSync(leaked);
  const chunks = (await service.stdout?.toArray()) ?? [];
  const stdout = Buffer.concat(chunks).toString('utf8');
  const [probe, ...ran] = JSON.parse(stdout) as [SandboxProbe, ...SandboxResult[]];
  return { probe, ran };
}

test('holds commands of a service that is an ordinary user', async () => {
  const { probe, ran } = await asOrdinaryUser(
    'id -u; cat /proc/self/status',
    // Two streams would come in no order of their own.
    `exec 2>&1; cat /etc/shadow ${data}/*; ls -d /home /root/.ssh && echo SEEN; unshare -U true && echo MADE; touch /x /dev/x && echo WROTE; touch here && ls`,
    'bomb() { bomb | bomb & }; bomb; sleep 1; ls -d /proc/[0-9]* | wc -l',
    `setsid nohup sleep ${ofThisRun(8181)} >/dev/null 2>&1 & exit 4`,
    'readlink /proc/self/fd/*; echo written > /proc/self/fd/200; true',
    'echo err > /dev/stderr; echo out | tee /dev/stdout',
  );
  expect(probe).toMatchObject({ usable: true, problem: null });
  const [identity, secrets, bomb, left, descriptors, named] = ran;
  const own = asRoot ? uid : process.getuid?.();
  expect(identity?.output.startsWith(`${own}\n`)).toBe(true);
  expect(identity?.output).toMatch(/^CapEff:\s+0{16}$/m);
  expect(identity?.output).toMatch(/^NoNewPrivs:\s+1$/m);
  expect(identity?.output).toMatch(/^Seccomp:\s+2$/m);
  expect(secrets?.output).not.toMatch(/SEEN|MADE|WROTE|root:/);
  expect(secrets?.output.trim().split('\n').at(-1)).toBe('here');
  expect(bomb?.durationMs).toBeLessThan(90_000); // a busy machine; its time is a minute, and a bomb itself has no end
  expect(left).toMatchObject({ endedBy: 'exit', exitCode: 4 });
  expect(descriptors?.output.match(/^\/dev\/null$/gm)?.length).toBeGreaterThan(1);
  expect(descriptors?.output).not.toContain('leaked');
  expect(named?.output.split('\n').sort()).toEqual(['', 'err', 'out', 'out']);
  expect(await readFile(join(data, 'leaked'), 'utf8')).toBe('');
  const { stdout } = await results('ps', ['-eo', 'args']);
  expect(stdout).not.toContain(`sleep ${ofThisRun(8181)}`);
});

test('ends by looking what no control group of an ordinary user bounds, and says so in its gaps', async () => {
  const hog = `node -e "const kept = []; setInterval(() => kept.push(Buffer.alloc(8 << 20, 1)), 20)"`;
  const count = 'i=0; while [ $i -lt 120 ]; do sleep 60 & i=$((i+1)); done; echo STARTED ALL';
  const { probe, ran } = await asOrdinaryUser(hog, count);
  expect(ran[0]).toMatchObject({ endedBy: 'memory', exitCode: null });
  expect(ran[1]?.output).not.toContain('STARTED ALL');
  if (asRoot) expect(probe.gaps.join(' ')).toMatch(/Memory.*Processes/);
});

test('lets no command take back its lower priority or its place as what the kernel ends first', async () => {
  const { ran } = await asOrdinaryUser(
    'exec 2>/dev/null; nice; renice -n 0 -p $$ >&2; nice; setsid nice; echo 0 > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj',
  );
  // A user of a session may have a control group for the processor, as no user of the tests' own making has.
  const lowered = asRoot ? Math.min(getPriority() + 5, 19) : '\\d+';
  expect(ran[0]?.output).toMatch(new RegExp(`^(?:${lowered}\n){3}1000\n$`));
});

test('counts shared memory where no group does, and once, whoever has it mapped', async () => {
  const keep = (megabytes: number, more: string) =>
    `python3 -c "import mmap, os, time
kept = []
for i in range(${megabytes} // 8):
    kept.append(mmap.mmap(-1, 8 << 20)); kept[-1].write(bytes(8 << 20)); time.sleep(0.02)
${more}"`;
  const five = `for i in range(5):
    if os.fork() == 0: break
held = sum(sum(part[::4096]) for part in kept)
time.sleep(1.5)
print('DONE')`;
  const { ran } = await asOrdinaryUser(keep(1_024, 'time.sleep(60)'), keep(64, five));
  expect(ran[0]).toMatchObject({ endedBy: 'memory', exitCode: null });
  expect(ran[1]).toMatchObject({ endedBy: 'exit', exitCode: 0 });
});
