import { codehostRoad } from './codehost-road.ts';
import { startScratchServer } from './scratch-server.ts';

codehostRoad('embedded', startScratchServer);
