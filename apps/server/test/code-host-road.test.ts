import { codehostRoad } from './code-host-road.ts';
import { startScratchServer } from './scratch-server.ts';

codehostRoad('embedded', startScratchServer);
