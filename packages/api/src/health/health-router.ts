import { router } from '../procedure/procedure.ts';
import { getLiveness } from './get-liveness.ts';
import { getReadiness } from './get-readiness.ts';

export const healthRouter = router({ live: getLiveness, ready: getReadiness });
