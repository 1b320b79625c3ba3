import { runnableMs } from '../process/process-tree.ts';

const defaultGraceMs = 8_000;
/** The share of one processor below which a command does nothing. A wait for a timer wants far less, a compiler far more. */
const idleShare = 0.1;

export interface RefusalWait {
  /** Whether a process and its descendants have only waited for refused hosts. Called several times a second. */
  exceeded(rootPid: number): Promise<boolean>;
}

/**
 * Watches for a command that only waits to ask a refused host again, as package managers do for minutes. A refused host
 * alone is no reason to end a command, which may work on without its telemetry, or sleep. So it must have waited and asked
 * again before, and then do nothing for the whole grace: no connection is open, and no processor is used or wanted.
 *
 * @param refusals how many requests were refused since a host was reached; 0 while a connection is open
 */
export function watchRefusalWait(refusals: () => number, graceMs = defaultGraceMs): RefusalWait {
  let idleSince: { readonly at: number; readonly wantedMs: number; readonly count: number } | null = null;
  let hasAskedAgain = false;
  return {
    async exceeded(rootPid) {
      const count = refusals();
      if (count === 0) {
        idleSince = null;
        hasAskedAgain = false;
        return false;
      }
      const wantedMs = await runnableMs(rootPid);
      const at = performance.now();
      if (idleSince !== null && count !== idleSince.count && at - idleSince.at >= graceMs / 2) hasAskedAgain = true;
      const isIdle =
        idleSince !== null &&
        count === idleSince.count &&
        wantedMs >= idleSince.wantedMs && // a process that has ended may take its time with it: a sum that falls is work too
        wantedMs - idleSince.wantedMs <= graceMs * idleShare;
      if (idleSince === null || !isIdle) idleSince = { at, wantedMs, count };
      return hasAskedAgain && at - idleSince.at >= graceMs;
    },
  };
}
