export {
  isHostName,
  matchesHost,
  namesPort,
  parseHostPattern,
} from './host-pattern.ts';
export {
  type HostLookup,
  type HostQuestion,
  type HostResolver,
  renderUnresolved,
  type UnresolvedReason,
} from './host-resolver.ts';
export { pinnedLookup } from './pinned-lookup.ts';
export { embeddedIpv4, isPublicAddress } from './public-address.ts';
