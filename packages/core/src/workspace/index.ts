export type { BaseFile, BaseFiles } from './base-files.ts';
export type { ControlGroup, ControlGroupLimits, ControlGroups } from './control-groups.ts';
export { type CountedPaths, NO_PATHS, renderPaths } from './counted-paths.ts';
export {
  diskFull,
  type FreeSpace,
  freeSpaceOf,
  isBelowReserve,
  renderFreeSpace,
  reserveOf,
} from './free-space.ts';
export { isLfsPointer, MAX_LFS_POINTER_BYTES } from './lfs-pointer.ts';
export type { DetectedCommands, ProjectCommands, ProjectFacts, TestOutput } from './project-commands.ts';
export type { Sandbox, SandboxCommand, SandboxLimits, SandboxProbe, SandboxResult } from './sandbox.ts';
export {
  type AbsentContent,
  type BaseBranches,
  type BranchStanding,
  type BranchStandings,
  type Checkpoint,
  type CommitRequest,
  type InspectedRemote,
  type LfsChange,
  type MergeConflict,
  type MergeOutcome,
  type MixedTree,
  type RemoteFacts,
  type RemoteInspector,
  type RepoAccess,
  type TextMatches,
  type TextQuery,
  type Workspace,
  type WorkspaceDiff,
  type WorkspaceFiles,
  type WorkspaceRequest,
  type Workspaces,
  workspaceDiffSchema,
} from './workspace.ts';
