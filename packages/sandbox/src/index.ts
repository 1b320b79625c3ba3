export { createBareSandbox } from './bare-sandbox.ts';
export { createBwrapSandbox } from './bwrap-sandbox.ts';
export { findControlGroups } from './control-group.ts';
