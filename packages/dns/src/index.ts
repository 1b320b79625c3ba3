export { createHostResolver } from './create-host-resolver.ts';
