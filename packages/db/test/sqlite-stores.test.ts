import { storeContracts } from '@sluice/testing';
import { openScratchStores } from './scratch-stores.ts';

storeContracts('SQLite', openScratchStores);
