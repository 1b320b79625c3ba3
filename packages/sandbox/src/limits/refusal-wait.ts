import { processorMs } from '../process/process-tree.ts';

/** A package manager waits ten seconds before its first retry, so a shorter grace ends it in that wait. */
const defaultGraceMs = 8_000;
/** The share of one processor below which a command does nothing. A wait for a timer takes far less, a compiler far more. */
const idleShare = 0.1;

export interface RefusalWait {
  /** Whether a process and its descendants have only waited since a host was refused. Called several times a second. */
  exceeded(rootPid: number): Promise<boolean>;
}

/**
 * Watches for a command that only waits to ask a refused host again. A refused host alone is no reason to end a command: an
 * install works without its telemetry. So there must be no open connection, and no use of the processor either.
 *
 * @param refusedLast whether the last host was refused and no connection is open
 */
export function watchRefusalWait(refusedLast: () => boolean, graceMs = defaultGraceMs): RefusalWait {
  let idleSince: { readonly at: number; readonly usedMs: number } | null = null;
  return {
    async exceeded(rootPid) {
      if (!refusedLast()) {
        idleSince = null;
        return false;
      }
      const usedMs = await processorMs(rootPid);
      const at = performance.now();
      // A process that has ended may take its time with it, so a sum that falls is work too.
      const isBusy = idleSince === null || usedMs < idleSince.usedMs || usedMs - idleSince.usedMs > graceMs * idleShare;
      if (idleSince === null || isBusy) idleSince = { at, usedMs };
      return at - idleSince.at >= graceMs;
    },
  };
}
