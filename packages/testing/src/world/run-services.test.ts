import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askFor, serveServices } from './run-services.ts';

it('a service of the run starts once, whatever number of files ask for it, and ends with the run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-services-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const happened: string[] = [];
  const served = await serveServices(join(folder, 'socket'), {
    asked: async () => {
      happened.push('started');
      return { url: 'asked://here', [Symbol.asyncDispose]: async () => void happened.push('ended') };
    },
    broken: async () => {
      throw new Error('no binary');
    },
    unasked: async () => {
      happened.push('started although no file asks');
      return { url: '', [Symbol.asyncDispose]: async () => undefined };
    },
  });
  const ask = (name: string) => askFor(served.path, name);
  expect(await Promise.all([ask('asked'), ask('asked')])).toEqual(['asked://here', 'asked://here']);
  await expect(ask('broken')).rejects.toThrow('broken did not start for the tests: Error: no binary');
  await expect(ask('other')).rejects.toThrow('There is no service "other"');
  expect(happened).toEqual(['started']);
  await served.close();
  expect(happened).toEqual(['started', 'ended']);
});
