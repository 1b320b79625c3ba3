export { createBareSandbox } from './bare/bare-sandbox.ts';
export { createBwrapSandbox } from './bwrap/bwrap-sandbox.ts';
export { createPictureCodec } from './pictures/picture-codec.ts';
export { findControlGroups } from './limits/control-group.ts';
