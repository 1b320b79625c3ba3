import { isSoakRun } from '@sluice/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { codehostRoad } from '../code-host-road.ts';
import { startScratchServer } from '../scratch-server.ts';
import { type SharedServices, sharedServices } from '../shared-services.ts';

// `npm test` takes the road on an embedded server, and other tests that run over Postgres and Redis.
describe.runIf(isSoakRun)('over Postgres and Redis', () => {
  let services: SharedServices;
  beforeAll(async () => {
    services = await sharedServices();
  });
  afterAll(() => services[Symbol.asyncDispose]());

  codehostRoad('over Postgres and Redis', async (environment) =>
    startScratchServer({ ...(await services.installation()), ...environment }),
  );
});
