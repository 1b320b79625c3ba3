import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openServingFolder, type ServingFolder } from './served.ts';

let serving: ServingFolder;

beforeEach(async () => {
  serving = await openServingFolder();
});

afterEach(() => serving?.[Symbol.asyncDispose]());

it.each(['SIGTERM', 'SIGINT'] as const)('prints its URL, answers there, and ends with 0 on %s', async (signal) => {
  const server = serving.serve(['--port', '0']);
  const url = await serving.listening(server);
  expect((await fetch(new URL('/api/health/live', url))).status).toBe(200);
  server.child.kill(signal);
  expect(await server.ended).toEqual([0, null]);
});

it('reports in one line that its port is taken', async () => {
  const { port } = await serving.listening(serving.serve(['--port', '0']));
  expect(await serving.refusal('--port', port, '--data-dir', join(serving.folder, 'other'))).toBe(
    `sluice: Port ${port} is in use by another program: stop that program, or set PORT to another port (0 picks a free one).`,
  );
});
