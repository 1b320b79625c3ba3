import { mainJob } from './main-job.ts';
import { startScratchServer } from './scratch-server.ts';

mainJob('embedded', startScratchServer);
