import type { Stores } from '@sluice/core/stores';
import { apiTokenContract } from './api-token.contract.ts';
import { attachmentContract } from './attachment.contract.ts';
import { auditContract } from './audit.contract.ts';
import { auditSealContract } from './audit-seal.contract.ts';
import { budgetContract } from './budget.contract.ts';
import { changeRequestContract } from './change-request.contract.ts';
import { codeHostInboxContract } from './code-host-inbox.contract.ts';
import { codeHostIndexContract } from './code-host-index.contract.ts';
import { codeHostLinkContract } from './code-host-link.contract.ts';
import { codeHostSiteContract } from './code-host-site.contract.ts';
import { encryptedSecretContract } from './encrypted-secret.contract.ts';
import { estimateContract } from './estimate.contract.ts';
import { eventLogContract } from './event-log.contract.ts';
import { idempotencyContract } from './idempotency.contract.ts';
import { invitationContract } from './invitation.contract.ts';
import { issueStoreContract } from './issue-store.contract.ts';
import { maintenanceContract } from './maintenance.contract.ts';
import { memberContract } from './member.contract.ts';
import { notificationContract } from './notification.contract.ts';
import { oidcIdentityContract } from './oidc-identity.contract.ts';
import { outcomeContract } from './outcome.contract.ts';
import { remarkContract } from './remark.contract.ts';
import { removalContract } from './removal.contract.ts';
import { repoStoreContract } from './repo-store.contract.ts';
import { runStoreContract } from './run-store.contract.ts';
import type { OpenStores } from './store-harness.ts';
import { userStoreContract } from './user-store.contract.ts';
import { workerStoreContract } from './worker-store.contract.ts';

type Contract = (engine: string, open: OpenStores) => void;

/** The contracts of each store. Empty: those of another store try it too. */
const contracts: Readonly<Record<keyof Stores, readonly Contract[]>> = {
  issues: [issueStoreContract, estimateContract, remarkContract, removalContract],
  attachments: [attachmentContract],
  idempotency: [idempotencyContract],
  runs: [runStoreContract],
  repos: [repoStoreContract],
  members: [memberContract],
  budgets: [budgetContract],
  apiTokens: [apiTokenContract],
  invitations: [invitationContract],
  users: [userStoreContract],
  sessions: [],
  secondFactors: [],
  signInFlows: [],
  accountLinks: [],
  deletions: [],
  codehostInbox: [codeHostInboxContract],
  codehostIndex: [codeHostIndexContract, changeRequestContract],
  codehostLinks: [codeHostLinkContract],
  oidcIdentities: [oidcIdentityContract],
  codehostSite: [codeHostSiteContract],
  encryptedSecrets: [encryptedSecretContract],
  audit: [auditContract],
  auditSeals: [auditSealContract],
  eventLog: [eventLogContract],
  maintenance: [maintenanceContract],
  outcomes: [outcomeContract],
  queueStats: [],
  workers: [workerStoreContract],
  notifications: [notificationContract],
  deliveries: [],
};

/** Runs the contracts of all stores. */
export function storeContracts(engine: string, open: OpenStores): void {
  for (const contract of Object.values(contracts).flat()) contract(engine, open);
}
