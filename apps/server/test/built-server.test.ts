import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { mainJob } from './main-job.ts';
import { startProcess } from './service-process.ts';

mainJob('embedded, as it is built', async (environment) => {
  const server = await startProcess(environment);
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      expect(await server.stop()).toBe(0);
      rmSync(server.dataDir, { recursive: true, force: true });
    },
  };
});
