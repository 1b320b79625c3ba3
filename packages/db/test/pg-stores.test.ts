import {
  auditContract,
  changeRequestContract,
  codehostInboxContract,
  codehostIndexContract,
  codehostLinkContract,
  codehostSiteContract,
  eventLogContract,
  idempotencyContract,
  issueStoreContract,
  maintenanceContract,
  type PostgresServer,
  repoStoreContract,
  runStoreContract,
  sealedSecretContract,
  startPostgres,
  userStoreContract,
} from '@sluice/testing';
import { afterAll, beforeAll } from 'vitest';
import { scratchStoresOn } from './scratch-postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const open = scratchStoresOn(() => server);
issueStoreContract('Postgres', open);
idempotencyContract('Postgres', open);
runStoreContract('Postgres', open);
repoStoreContract('Postgres', open);
userStoreContract('Postgres', open);
codehostInboxContract('Postgres', open);
changeRequestContract('Postgres', open);
codehostIndexContract('Postgres', open);
codehostLinkContract('Postgres', open);
codehostSiteContract('Postgres', open);
sealedSecretContract('Postgres', open);
auditContract('Postgres', open);
eventLogContract('Postgres', open);
maintenanceContract('Postgres', open);
