import { afterAll, beforeAll } from 'vitest';
import { mainJobVariants } from '../main-job-variants.ts';
import { startScratchServer } from '../scratch-server.ts';
import { type SharedServices, sharedServices } from '../shared-services.ts';

// Usual way: apps/server/test/main-job-shared.test.ts

let services: SharedServices;
beforeAll(async () => {
  services = await sharedServices();
});
afterAll(() => services[Symbol.asyncDispose]());

mainJobVariants('over Postgres and Redis', async (environment) =>
  startScratchServer({ ...(await services.installation()), ...environment }),
);
