import { router } from '../procedure/procedure.ts';
import { listCodehostRepos } from './list-codehost-repos.ts';

export const codehostRouter = router({ repos: listCodehostRepos });
