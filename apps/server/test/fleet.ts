import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ServiceProcess, startProcess } from './service-process.ts';
import { type OwnServices, type SharedServices, sharedServices, startSharedServices } from './shared-services.ts';

/** The services that the processes of one test file share, and the processes themselves, which end with each test. */
export interface Fleet<Services = SharedServices> {
  services(): Services;
  start(environment: Record<string, string>): Promise<ServiceProcess>;
}

/** Sets up a fleet over the services of the test run, for the test file that calls it. */
export function useFleet(): Fleet {
  return fleetOver(sharedServices);
}

/**
 * Sets up a fleet over services of its own, which the test file may stop or freeze.
 *
 * @param connections how many Postgres takes, for more than three processes: each uses up to 30
 */
export function useFleetOfItsOwn(connections?: number): Fleet<OwnServices> {
  return fleetOver(() => startSharedServices(connections));
}

function fleetOver<Services extends AsyncDisposable>(startServices: () => Promise<Services>): Fleet<Services> {
  let services: Services;
  const processes: ServiceProcess[] = [];
  beforeAll(async () => {
    services = await startServices();
  });
  afterEach(async () => {
    for (const one of processes.splice(0)) await one.kill();
  });
  afterAll(() => services[Symbol.asyncDispose]());
  return {
    services: () => services,
    start: async (environment) => {
      const started = await startProcess(environment);
      processes.push(started);
      return started;
    },
  };
}
