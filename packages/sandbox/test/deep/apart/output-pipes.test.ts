import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox, SandboxCommand } from '@sluice/core/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBareSandbox } from '../../../src/bare/bare-sandbox.ts';
import { createBwrapSandbox } from '../../../src/bwrap/bwrap-sandbox.ts';
import { openOutputPipes } from '../../../src/process/output-pipes.ts';
import { type ScratchTree, scratchTree } from '../../scratch-tree.ts';

// Usual way: packages/sandbox/src/bwrap/bwrap-sandbox.test.ts

const path = execFileSync('/bin/sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });
const sandboxes = {
  bubblewrap: (data: string) => createBwrapSandbox({ readPaths: [], path, hideRoots: [data], scratchRoot: data }),
  'the bare sandbox': () => createBareSandbox({ path }),
};
let scratch: ScratchTree;
let temporary: string;
beforeAll(async () => {
  scratch = await scratchTree();
  temporary = join(scratch.data, 'temporary');
  await mkdir(temporary);
});
afterAll(() => scratch[Symbol.asyncDispose]());
beforeEach(() => {
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const openDescriptors = () => readdirSync('/proc/self/fd').length;

/** The output of a command, by stream. */
async function streams(sandbox: Sandbox, command: SandboxCommand) {
  const seen = { stdout: '', stderr: '' };
  const result = await sandbox.run({
    ...command,
    onOutput: (stream, text) => {
      seen[stream] += text;
    },
  });
  return { ...seen, result };
}

describe.each(Object.entries(sandboxes))('the output of a command in %s', (name, create) => {
  let sandbox: Sandbox;
  let root: string;
  beforeAll(async () => {
    sandbox = create(scratch.data);
    root = await scratch.tree(name.replaceAll(' ', '-'));
  });

  test('can be opened by name, as scripts and makefiles do', async () => {
    const command = 'echo err > /dev/stderr; echo out > /dev/stdout; echo t | tee /dev/stderr; echo end >> /dev/fd/1';
    const { stdout, stderr, result } = await streams(sandbox, scratch.command(root, command));
    expect(stdout).toBe('out\nt\nend\n');
    expect(stderr).toBe('err\nt\n');
    expect(result).toMatchObject({ exitCode: 0, endedBy: 'exit', truncated: false });
  });

  test('gives a command nothing to read, although it can be opened for reading', async () => {
    const chatty = new AbortController();
    let heard = '';
    const neighbour = sandbox.run({
      ...scratch.command(root, 'while :; do echo of-the-neighbour; sleep 0.01; done', {
        signal: chatty.signal,
        limits: { outputBytes: 8 * 2 ** 20 },
      }),
      onOutput: (_, text) => {
        heard += text;
      },
    });
    await expect.poll(() => heard).not.toBe('');
    const read = 'for fd in 3 4; do dd if=/proc/self/fd/$fd of=got$fd iflag=nonblock bs=64k 2>said$fd; sleep 0.1; done';
    const { stdout, result } = await streams(
      sandbox,
      scratch.command(root, `exec 3>&1 4>&2; ${read}; cat got3 got4 | wc -c; cat said3 said4`),
    );
    chatty.abort(new Error('enough'));
    await expect(neighbour).rejects.toThrow('enough');
    expect(result).toMatchObject({ exitCode: 0, endedBy: 'exit' });
    expect(stdout.startsWith('0\n')).toBe(true);
    // It could be opened, but was empty.
    expect(stdout.match(/Resource temporarily unavailable/g)).toHaveLength(2);
  });

  test('arrives complete and in order at a listener that is slower than the command', async () => {
    const lines = 200_000;
    let stdout = '';
    const result = await sandbox.run({
      ...scratch.command(root, `seq 1 ${lines}; seq 1 10 >&2`, { limits: { outputBytes: 8 * 2 ** 20 } }),
      onOutput(stream, text) {
        if (stream === 'stdout') stdout += text;
        const until = performance.now() + 5;
        while (performance.now() < until);
      },
    });
    expect(result).toMatchObject({ exitCode: 0, truncated: false });
    expect(stdout).toBe(Array.from({ length: lines }, (_, index) => `${index + 1}\n`).join(''));
  });

  test('leaves no file and no descriptor behind, however a command ends', async () => {
    await sandbox.run(scratch.command(root, 'true'));
    const before = openDescriptors();
    const ends = [
      (nth: number) => sandbox.run(scratch.command(root, `echo ${nth}; echo ${nth} >&2; exit 3`)),
      (nth: number) => {
        const cancel = new AbortController();
        setTimeout(() => cancel.abort(new Error('cancelled')), nth % 12);
        return sandbox.run(scratch.command(root, 'sleep 60', { signal: cancel.signal }));
      },
      () => sandbox.run(scratch.command(root, 'exec 1>&- 2>&-; setsid sleep 60 & exit')),
    ];
    for (let nth = 0; nth < 300; nth += 6) {
      const batch = [0, 1, 2, 3, 4, 5].map((more) => ends[more % ends.length]?.(nth + more));
      const settled = await Promise.allSettled(batch);
      expect(settled.filter((each) => each.status === 'rejected' && each.reason.message !== 'cancelled')).toEqual([]);
    }
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('has no name on the host once the command runs, and no write end here', async () => {
    const cancel = new AbortController();
    let started = false;
    const running = sandbox.run({
      ...scratch.command(root, 'echo up; sleep 60', { signal: cancel.signal }),
      onOutput: () => {
        started = true;
      },
    });
    await expect.poll(() => started).toBe(true);
    const names = readdirSync(temporary).filter((entry) => !entry.startsWith('sluice-home-'));
    // A pipe that stays open would delay every command by the second that the service waits for its output.
    const writable = openPipes().filter((fd) => (flagsOf(fd) & 3) !== 0);
    const readable = openPipes().length;
    cancel.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect({ names, writable, readable }).toEqual({ names: [], writable: [], readable: 2 });
  });
});

describe('a pair of output pipes', () => {
  const options = { path, owner: null, signal: new AbortController().signal };

  test('ends when the last process with a write end is dead', async () => {
    using pipes = await openOutputPipes(options);
    const chunks = pipes.stdout.toArray();
    execFileSync('/bin/sh', ['-c', 'echo kept'], { stdio: ['ignore', ...pipes.ends] });
    pipes.handOver();
    expect(Buffer.concat(await chunks).toString()).toBe('kept\n');
  });

  test('closes its descriptors when unused, and only once', async () => {
    const before = openDescriptors();
    const pipes = await openOutputPipes(options);
    expect(openDescriptors()).toBeGreaterThanOrEqual(before + 4);
    pipes[Symbol.dispose]();
    pipes[Symbol.dispose]();
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before);
  });

  test('is closed here even if another process keeps it open', async () => {
    const before = openDescriptors();
    const pipes = await openOutputPipes(options);
    const holder = spawn('/bin/sleep', ['60'], { stdio: ['ignore', ...pipes.ends] });
    try {
      pipes.handOver();
      pipes[Symbol.dispose]();
      await expect.poll(openDescriptors).toBeLessThanOrEqual(before);
      expect(holder.exitCode).toBeNull();
    } finally {
      holder.kill('SIGKILL');
    }
  });

  test('leaves nothing behind when it cannot be made or is cancelled', async () => {
    const before = openDescriptors();
    await expect(openOutputPipes({ ...options, path: '/nonexistent' })).rejects.toMatchObject({ code: 'ENOENT' });
    const reason = new Error('cancelled');
    const cancel = new AbortController();
    const opening = openOutputPipes({ ...options, signal: cancel.signal });
    cancel.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(readdirSync(temporary)).toEqual([]);
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before);
  });

  test.runIf(process.getuid?.() === 0)("belongs to the command's user", async () => {
    using pipes = await openOutputPipes({ ...options, owner: { uid: 5_001, gid: 5_002 } });
    const looks = execFileSync('stat', ['-L', '-c', '%u %g %a %F', '/dev/fd/3', '/dev/fd/4'], {
      stdio: ['ignore', 'pipe', 'inherit', ...pipes.ends],
    });
    expect(looks.toString()).toBe('5001 5002 600 fifo\n5001 5002 600 fifo\n');
    for (const end of pipes.ends) expect(flagsOf(end) & 3).toBe(1);
  });
});

/** Descriptors of this process that lead to a command's output. */
function openPipes(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => /\/(stdout|stderr) \(deleted\)$/.test(targetOf(fd)));
}

function targetOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return ''; // that of the folder itself, which is closed again
  }
}

/** The mode of a descriptor of this process: 0 to read, 1 to write, 2 for both. */
function flagsOf(fd: number): number {
  return Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '2', 8);
}
