import { sqliteKit } from './kit.ts';
import { makeSchema } from './schema.ts';

/** The tables on SQLite; drizzle-kit makes its migrations from this file's exports. */
export const {
  installation,
  users,
  credentials,
  failedLogins,
  sessions,
  repos,
  slots,
  issues,
  plans,
  events,
  steps,
  journalEntries,
  patches,
  checkpoints,
  commandLog,
  auditEntries,
  requestAnswers,
  codehostGrants,
  codehostFlows,
  loginGrants,
  codehostDeliveries,
  codehostInbox,
  codehostPolls,
  codehostRemovals,
  codehostSites,
  changeRequests,
  workers,
} = makeSchema(sqliteKit);
