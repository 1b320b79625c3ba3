import { expect, it } from 'vitest';
import { runInThread } from './create-project-commands.ts';

const MINUTE = 60_000;

const scripts = {
  doubles: new URL('./test/doubles.ts', import.meta.url),
  hangs: new URL('./test/hangs.ts', import.meta.url),
  'fills-memory': new URL('./test/fills-memory.ts', import.meta.url),
  'ends-silently': new URL('./test/ends-silently.ts', import.meta.url),
};

function run(
  name: keyof typeof scripts,
  { timeoutMs = MINUTE, signal = new AbortController().signal } = {},
): Promise<unknown> {
  return runInThread({ script: scripts[name], name, input: 21, memoryMb: 16, timeoutMs, signal });
}

it('gives the answer of the thread', async () => {
  expect(await run('doubles')).toBe(42);
});

it('ends a thread that hangs, at the timeout', async () => {
  await expect(run('hangs', { timeoutMs: 200 })).rejects.toThrow('The thread hangs gave no answer in 200 ms.');
});

it('ends a thread that hangs when the signal is aborted, with the signal’s reason', async () => {
  const { signal, abort } = abortable();
  const running = run('hangs', { signal });
  abort('not needed any more');
  await expect(running).rejects.toBe('not needed any more');
  await expect(run('doubles', { signal })).rejects.toBe('not needed any more');
});

it('survives a thread that runs out of memory', async () => {
  await expect(run('fills-memory')).rejects.toThrow(/memory/);
});

it('does not wait for a thread that ended without an answer', async () => {
  await expect(run('ends-silently')).rejects.toThrow('The thread ends-silently ended with code 0.');
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: string) => setImmediate(() => controller.abort(reason)) };
}
