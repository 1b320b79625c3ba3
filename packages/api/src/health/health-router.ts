import { router } from '../procedure/procedure.ts';
import { getLiveness } from './get-liveness.ts';
import { getReadiness } from './health.procedure.ts';

export const healthRouter = router({ live: getLiveness, ready: getReadiness });
