export { deleteAccount } from './delete-account.ts';
export type {
  DeletionPlan,
  DeletionProof,
  DeletionStore,
  Heir,
  HeirRules,
  LeftRepo,
  SettleRepoOutcome,
} from './deletion-store.ts';
