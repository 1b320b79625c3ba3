import type { HostResolver } from '@sluice/core/network';
import { createHostResolver } from '@sluice/dns';

/** Resolves names that the operator did not write, by the files of this system. One for a process: it counts for all. */
export function openHostResolver(): HostResolver {
  return createHostResolver();
}
