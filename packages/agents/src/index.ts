export { createCodeIndex } from './code-index/create-code-index.ts';
export { createRemoteInspector } from './git/remote-inspector.ts';
export { createAgentRunner } from './loop/create-agent-runner.ts';
export { builtinChoice } from './model/builtin-choice.ts';
export { createProjectCommands } from './project/create-project-commands.ts';
export { createBareSandbox } from './sandbox/bare-sandbox.ts';
export { createBwrapSandbox } from './sandbox/bwrap-sandbox.ts';
export { createWorkspaces } from './workspace/workspaces.ts';
