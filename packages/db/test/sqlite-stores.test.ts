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
  repoStoreContract,
  runStoreContract,
  sealedSecretContract,
  userStoreContract,
} from '@sluice/testing';
import { openScratchStores } from './scratch-stores.ts';

issueStoreContract('SQLite', openScratchStores);
idempotencyContract('SQLite', openScratchStores);
runStoreContract('SQLite', openScratchStores);
repoStoreContract('SQLite', openScratchStores);
userStoreContract('SQLite', openScratchStores);
codehostInboxContract('SQLite', openScratchStores);
changeRequestContract('SQLite', openScratchStores);
codehostIndexContract('SQLite', openScratchStores);
codehostLinkContract('SQLite', openScratchStores);
codehostSiteContract('SQLite', openScratchStores);
sealedSecretContract('SQLite', openScratchStores);
auditContract('SQLite', openScratchStores);
eventLogContract('SQLite', openScratchStores);
maintenanceContract('SQLite', openScratchStores);
