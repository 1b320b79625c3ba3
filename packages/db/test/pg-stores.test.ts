import {
  apiTokenContract,
  auditContract,
  auditSealContract,
  budgetContract,
  changeRequestContract,
  codeHostInboxContract,
  codeHostIndexContract,
  codeHostLinkContract,
  codeHostSiteContract,
  encryptedSecretContract,
  estimateContract,
  eventLogContract,
  idempotencyContract,
  invitationContract,
  issueStoreContract,
  maintenanceContract,
  memberContract,
  notificationContract,
  oidcIdentityContract,
  outcomeContract,
  type PostgresDatabases,
  remarkContract,
  removalContract,
  repoStoreContract,
  runStoreContract,
  sharedPostgres,
  userStoreContract,
  workerStoreContract,
} from '@sluice/testing';
import { afterAll, beforeAll } from 'vitest';
import { scratchStoresOn } from './scratch-postgres.ts';

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const open = scratchStoresOn(() => server);
issueStoreContract('Postgres', open);
idempotencyContract('Postgres', open);
runStoreContract('Postgres', open);
repoStoreContract('Postgres', open);
memberContract('Postgres', open);
budgetContract('Postgres', open);
estimateContract('Postgres', open);
apiTokenContract('Postgres', open);
invitationContract('Postgres', open);
userStoreContract('Postgres', open);
codeHostInboxContract('Postgres', open);
changeRequestContract('Postgres', open);
remarkContract('Postgres', open);
codeHostIndexContract('Postgres', open);
codeHostLinkContract('Postgres', open);
oidcIdentityContract('Postgres', open);
codeHostSiteContract('Postgres', open);
encryptedSecretContract('Postgres', open);
auditContract('Postgres', open);
auditSealContract('Postgres', open);
eventLogContract('Postgres', open);
maintenanceContract('Postgres', open);
outcomeContract('Postgres', open);
removalContract('Postgres', open);
workerStoreContract('Postgres', open);
notificationContract('Postgres', open);
