import { router } from '../procedure/procedure.ts';
import { listCodehostRepos } from './list-hosted-repos.procedure.ts';

export const codehostRouter = router({ repos: listCodehostRepos });
