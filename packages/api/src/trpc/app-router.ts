import { authRouter } from '../accounts/auth-router.ts';
import { listAudit } from '../audit/list-audit.procedure.ts';
import { codehostRouter } from '../code-host/codehost-router.ts';
import { healthRouter } from '../health/health-router.ts';
import { issuesRouter } from '../issues/issues-router.ts';
import { watchAllIssues } from '../issues/watch-all-issues.procedure.ts';
import { createCallerFactory, router } from '../procedure/procedure.ts';
import { reposRouter } from '../repos/repos-router.ts';

/** All that the outside may ask, once; REST, tRPC and the OpenAPI document are read off it. */
export const appRouter = router({
  auth: authRouter,
  repos: reposRouter,
  issues: issuesRouter,
  codehost: codehostRouter,
  audit: router({ list: listAudit }),
  events: router({ watch: watchAllIssues }),
  health: healthRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures without a transport between. */
export const createCaller = createCallerFactory(appRouter);
