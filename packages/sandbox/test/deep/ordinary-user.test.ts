import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OrdinaryService, ordinaryService } from '../ordinary-service.ts';
import { ofThisRun } from '../sleeping.ts';

// Usual way: packages/sandbox/src/bwrap/bwrap-sandbox.test.ts

const asRoot = process.getuid?.() === 0;
const results = promisify(execFile);
let service: OrdinaryService;

beforeAll(async () => {
  service = await ordinaryService();
});
afterAll(() => service[Symbol.asyncDispose]());

const asOrdinaryUser = (...commands: string[]) => service.run(commands);

test('isolates commands of a service that is an ordinary user', async () => {
  const { probe, ran } = await asOrdinaryUser(
    'id -u; cat /proc/self/status',
    // The order of two streams is undefined.
    `exec 2>&1; cat /etc/shadow ${service.data}/*; ls -d /home /root/.ssh && echo SEEN; unshare -U true && echo MADE; touch /x /dev/x && echo WROTE; touch here && ls`,
    'bomb() { bomb | bomb & }; bomb; sleep 1; ls -d /proc/[0-9]* | wc -l',
    `setsid nohup sleep ${ofThisRun(8181)} >/dev/null 2>&1 & exit 4`,
    'readlink /proc/self/fd/*; echo written > /proc/self/fd/200; true',
    'echo err > /dev/stderr; echo out | tee /dev/stdout',
  );
  expect(probe).toMatchObject({ usable: true, problem: null });
  const [identity, secrets, bomb, left, descriptors, named] = ran;
  expect(identity?.output.startsWith(`${service.uid}\n`)).toBe(true);
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
  expect(await readFile(join(service.data, 'leaked'), 'utf8')).toBe('');
  const { stdout } = await results('ps', ['-eo', 'args']);
  expect(stdout).not.toContain(`sleep ${ofThisRun(8181)}`);
});

test('enforces by polling what no control group limits for an ordinary user, and reports it as a gap', async () => {
  const hog = `node -e "const kept = []; setInterval(() => kept.push(Buffer.alloc(8 << 20, 1)), 20)"`;
  const count = 'i=0; while [ $i -lt 120 ]; do sleep 60 & i=$((i+1)); done; echo STARTED ALL';
  const { probe, ran } = await asOrdinaryUser(hog, count);
  expect(ran[0]).toMatchObject({ endedBy: 'memory', exitCode: null });
  expect(ran[1]?.output).not.toContain('STARTED ALL');
  if (asRoot) expect(probe.gaps.join(' ')).toMatch(/Memory.*are not limited.*Processes/);
});

test('lets no command raise its priority or lower its out-of-memory score', async () => {
  const { ran } = await asOrdinaryUser(
    'exec 2>/dev/null; nice; renice -n 0 -p $$ >&2; nice; setsid nice; echo 0 > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj',
  );
  // A user with a session may have a control group for the processor; a user made by the tests has none.
  const lowered = asRoot ? Math.min(getPriority() + 5, 19) : '\\d+';
  expect(ran[0]?.output).toMatch(new RegExp(`^(?:${lowered}\n){3}1000\n$`));
});

test('counts shared memory once where no group does, even if several processes have mapped it', async () => {
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

test('counts memory held as files without a name once, mapped or not, and hidden', async () => {
  const keep = (make: string) => `python3 -c "import mmap, os, time
kept = []
def memfd():
    fd = os.memfd_create('x'); os.write(fd, bytes(1 << 20)); return fd
def deleted():
    fd = os.open('/dev/shm/x', os.O_RDWR | os.O_CREAT); os.unlink('/dev/shm/x'); os.write(fd, bytes(1 << 20)); return fd
def mapped():
    fd = memfd(); held = mmap.mmap(fd, 1 << 20); sum(held[::4096]); return held
${make}"`;
  const many = 'for i in range(300): kept.append(memfd())\ntime.sleep(60)';
  const files = 'for i in range(75): kept.append(deleted())\nfor i in range(110): kept.append(memfd())\ntime.sleep(60)';
  const both = "for i in range(110): kept.append(mapped())\ntime.sleep(1.5)\nprint('DONE')";
  const hidden = `import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n${many}`;
  const { ran } = await service.run([keep(many), keep(files), keep(both), keep(hidden)]);
  expect(ran[0]).toMatchObject({ endedBy: 'memory', exitCode: null });
  expect(ran[1]).toMatchObject({ endedBy: 'memory', exitCode: null });
  expect(ran[2]).toMatchObject({ endedBy: 'exit', exitCode: 0, output: 'DONE\n' });
  expect(ran[3]).toMatchObject({ endedBy: 'memory', exitCode: null });
});
