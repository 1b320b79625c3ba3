import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';

const MODULE = new URL('./stop-signal.ts', import.meta.url).href;
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that prints each stop signal and keeps running. `onStop` is code that it also runs on a stop signal. */
function listener(onStop: string): { child: ChildProcess; lines: AsyncIterator<string> } {
  const code = `import { onStopSignal } from ${JSON.stringify(MODULE)};
    const stop = onStopSignal(() => { console.log('stop'); ${onStop} });
    setInterval(() => {}, 1000);
    process.on('SIGUSR2', () => console.log('alive'));
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

const next = async (lines: AsyncIterator<string>) => (await lines.next()).value;

it.each(['', 'stop();'])(
  'treats two signals of one key press as one, even when stopped listening (%j)',
  async (onStop) => {
    // Sent by the process itself: however busy the machine, it hears the second one right after the first.
    const secondOne = `${onStop} for (const signal of ['SIGINT', 'SIGUSR2']) process.kill(process.pid, signal);`;
    const { child, lines } = listener(secondOne);
    expect(await next(lines)).toBe('ready');
    child.kill('SIGINT');
    expect(await next(lines)).toBe('stop');
    expect(await next(lines)).toBe('alive');
  },
);

it('ends the process at once by a second one that comes later', async () => {
  const { child, lines } = listener('');
  expect(await next(lines)).toBe('ready');
  const begun = performance.now();
  const again = setInterval(() => child.kill('SIGTERM'), 50);
  const [, signal] = await once(child, 'exit');
  clearInterval(again);
  expect(signal).toBe('SIGTERM');
  expect(performance.now() - begun).toBeGreaterThan(900);
});
