export { openGitGroup } from './git/open-git-group.ts';
export { createRemoteInspector } from './git/remote-inspector.ts';
export { createProjectCommands } from './project/create-project-commands.ts';
export { createBaseBranches } from './worktree/base-branches.ts';
export { createBranchStandings } from './worktree/branch-standings.ts';
export { type HeldWorkspaces, holdWorkspaces } from './worktree/hold-workspaces.ts';
export { createWorkspaceFiles } from './worktree/workspace-files.ts';
export { createWorkspaces } from './worktree/workspaces.ts';
