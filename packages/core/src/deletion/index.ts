export { type DeleteAccountContext, deleteAccount } from './delete-account.ts';
export type {
  BeginDeletionOutcome,
  DeletionPlan,
  DeletionProof,
  DeletionStore,
  FinishDeletionOutcome,
  Heir,
  HeirRules,
  LeftRepo,
  SettleRepoOutcome,
} from './deletion-store.ts';
