export { authorizeRepo } from './authorize-repo.ts';
export { type CreateRepoContext, createRepo, type RepoDraft, type RepoSource } from './create-repo.ts';
export { type CurrentRepoContext, currentRepo } from './current-repo.ts';
export { deleteRepo } from './delete-repo.ts';
export { hostedName, requireHosted } from './hosted-name.ts';
export {
  issueTemplateBounds,
  issueTemplateSchema,
  MOST_APPROVALS,
  type NewRepo,
  type Repo,
  type RepoIndex,
  type RepoPatch,
  type RepoSettings,
  type RepoSettingsPatch,
  repoSettingsSchema,
  reviewBotBounds,
} from './repo.ts';
export { accessTo, type RepoAccessContext } from './repo-access.ts';
export { isLocalAddress, parseRepoAddress, type RepoAddress, renamedAddress } from './repo-address.ts';
export type { ActiveHolder } from './repo-busy.ts';
export type { HostedPlace, RegisteredRepo, RelocateOutcome, RepoAudit, RepoStore } from './repo-store.ts';
export { type RepoWire, repoWire, toRepoWire } from './repo-wire.ts';
export { requireBaseBranch } from './require-base-branch.ts';
export { type RepoChange, type UpdateRepoContext, updateRepo } from './update-repo.ts';
