export { createBareSandbox } from './bare/bare-sandbox.ts';
export { createBwrapSandbox } from './bwrap/bwrap-sandbox.ts';
export { findControlGroups } from './limits/control-group.ts';
export { createPictureCodec } from './pictures/picture-codec.ts';
