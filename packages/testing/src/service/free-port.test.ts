import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

const inAnotherProcess = async (count: number): Promise<number[]> => {
  const script = `import { freePort } from ${JSON.stringify(new URL('./free-port.ts', import.meta.url).href)};
    const ports = []; while (ports.length < ${count}) ports.push(await freePort());
    console.log(JSON.stringify(ports));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', script]);
  return JSON.parse(stdout) as number[];
};

it('never returns a port twice, under concurrency and across processes', async () => {
  const asked = [Promise.all(Array.from({ length: 100 }, freePort)), inAnotherProcess(100)];
  const [here = [], there = []] = await Promise.all(asked);
  const later = await inAnotherProcess(100);
  // What a process had that has ended may be given again.
  for (const others of [there, later]) expect(new Set([...here, ...others]).size).toBe(200);
});

it('gives no port that the system gives to somebody else', async () => {
  for (let count = 0; count < 20; count += 1) {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  }
});
