import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ServiceProcess, startProcess } from './service-process.ts';
import { type SharedServices, startSharedServices } from './shared-services.ts';

/** The services that the processes of one test file share, and the processes themselves, which end with each test. */
export interface Fleet {
  services(): SharedServices;
  start(environment: Record<string, string>): Promise<ServiceProcess>;
}

/** Sets up a fleet for the test file that calls it. @param connections how many Postgres takes; a process uses up to 30 */
export function useFleet(connections?: number): Fleet {
  let services: SharedServices;
  const processes: ServiceProcess[] = [];
  beforeAll(async () => {
    services = await startSharedServices(connections);
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
