import { issueStoreContract, repoStoreContract, runStoreContract, userStoreContract } from '@sluice/testing';
import { openScratchStores } from './scratch-stores.ts';

issueStoreContract('SQLite', openScratchStores);
runStoreContract('SQLite', openScratchStores);
repoStoreContract('SQLite', openScratchStores);
userStoreContract('SQLite', openScratchStores);
