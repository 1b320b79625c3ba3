import type { Kit } from './kit.ts';
import { makeAccountTables, makeApiTokenTables, makeInvitationTables, makeOidcTables } from './schema-accounts.ts';
import { makeAttachmentTables } from './schema-attachments.ts';
import { makeAttemptTables } from './schema-attempts.ts';
import { makeAuditTables } from './schema-audit.ts';
import { makeBudgetTables } from './schema-budgets.ts';
import { makeChangeRequestTables, makeCodeHostTables } from './schema-code-host.ts';
import { makeIssueTables } from './schema-issues.ts';
import { makeNotificationTables } from './schema-notifications.ts';
import { makeRepoTables } from './schema-repos.ts';
import { makeSecondFactorTables } from './schema-second-factors.ts';
import { makeInstallationTables, makeRequestTables, makeWorkerTables } from './schema-service.ts';

/** Every table, once, for the dialect whose kit is given. */
export function makeSchema(kit: Kit) {
  const accounts = makeAccountTables(kit);
  const { users } = accounts;
  const { repos, repoMembers } = makeRepoTables(kit, users);
  const issueTables = makeIssueTables(kit, { users, repos });
  return {
    ...accounts,
    ...makeSecondFactorTables(kit, users),
    ...makeInstallationTables(kit),
    ...makeWorkerTables(kit),
    ...makeBudgetTables(kit),
    repos,
    repoMembers,
    ...makeApiTokenTables(kit, { users, repos }),
    ...makeInvitationTables(kit, { users, repos }),
    ...issueTables,
    ...makeAttachmentTables(kit, { users, issues: issueTables.issues }),
    ...makeAttemptTables(kit, issueTables.issues),
    ...makeAuditTables(kit),
    ...makeRequestTables(kit, users),
    ...makeCodeHostTables(kit, { users, repos }),
    ...makeOidcTables(kit, users),
    ...makeChangeRequestTables(kit, { repos, issues: issueTables.issues }),
    ...makeNotificationTables(kit, { users, repos, issues: issueTables.issues }),
  };
}

export type Tables = ReturnType<typeof makeSchema>;
