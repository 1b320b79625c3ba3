import { afterAll, beforeAll } from 'vitest';
import { mainJob } from './main-job.ts';
import { startScratchServer } from './scratch-server.ts';
import { type SharedServices, sharedServices } from './shared-services.ts';

let services: SharedServices;
beforeAll(async () => {
  services = await sharedServices();
});
afterAll(() => services[Symbol.asyncDispose]());

mainJob('over Postgres and Redis', async (environment) =>
  startScratchServer({ ...(await services.installation()), ...environment }),
);
