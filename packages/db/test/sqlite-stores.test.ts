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
  remarkContract,
  removalContract,
  repoStoreContract,
  runStoreContract,
  userStoreContract,
  workerStoreContract,
} from '@sluice/testing';
import { openScratchStores } from './scratch-stores.ts';

issueStoreContract('SQLite', openScratchStores);
idempotencyContract('SQLite', openScratchStores);
runStoreContract('SQLite', openScratchStores);
repoStoreContract('SQLite', openScratchStores);
memberContract('SQLite', openScratchStores);
budgetContract('SQLite', openScratchStores);
estimateContract('SQLite', openScratchStores);
apiTokenContract('SQLite', openScratchStores);
invitationContract('SQLite', openScratchStores);
userStoreContract('SQLite', openScratchStores);
codeHostInboxContract('SQLite', openScratchStores);
changeRequestContract('SQLite', openScratchStores);
remarkContract('SQLite', openScratchStores);
codeHostIndexContract('SQLite', openScratchStores);
codeHostLinkContract('SQLite', openScratchStores);
oidcIdentityContract('SQLite', openScratchStores);
codeHostSiteContract('SQLite', openScratchStores);
encryptedSecretContract('SQLite', openScratchStores);
auditContract('SQLite', openScratchStores);
auditSealContract('SQLite', openScratchStores);
eventLogContract('SQLite', openScratchStores);
maintenanceContract('SQLite', openScratchStores);
outcomeContract('SQLite', openScratchStores);
removalContract('SQLite', openScratchStores);
workerStoreContract('SQLite', openScratchStores);
notificationContract('SQLite', openScratchStores);
