export { authorizeRepo } from './authorize-repo.ts';
export { createRepo } from './create-repo.ts';
export { currentRepo } from './current-repo.ts';
export { deleteRepo } from './delete-repo.ts';
export { hostedName, requireHosted } from './hosted-name.ts';
export {
  issueTemplateBounds,
  issueTemplateSchema,
  MAX_APPROVALS,
  type NewRepo,
  type Repo,
  type RepoIndex,
  type RepoSettings,
  type RepoSettingsPatch,
  repoSettingsSchema,
  reviewBotBounds,
} from './repo.ts';
export { accessTo } from './repo-access.ts';
export { isLocalAddress, parseRepoAddress, type RepoAddress, renamedAddress } from './repo-address.ts';
export type { ActiveHolder } from './repo-busy.ts';
export type { HostedPlace, RegisteredRepo, RelocateOutcome, RepoStore } from './repo-store.ts';
export { type RepoWire, repoWire, toRepoWire } from './repo-wire.ts';
export { requireBaseBranch } from './require-branch.ts';
export { updateRepo } from './update-repo.ts';
