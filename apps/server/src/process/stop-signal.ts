/** `npm run` passes Ctrl-C on to a child that the terminal has told already: one so soon is the same key press. */
const SAME_PRESS_MS = 1_000;

/**
 * Calls `onStop` at the first SIGINT or SIGTERM. Another one, a second or more later, ends the process at once; what
 * it leaves is recovered at the next start.
 *
 * @returns what stops listening. After a first signal it changes nothing: the second one of the same key press may
 *   still be on its way, and would end the process in the middle of its orderly end.
 */
export function onStopSignal(onStop: () => void): () => void {
  let toldAt: number | null = null;
  const listen = (signal: NodeJS.Signals) => {
    if (toldAt === null) {
      toldAt = performance.now();
      onStop();
    } else if (performance.now() - toldAt >= SAME_PRESS_MS) {
      unlisten();
      process.kill(process.pid, signal); // with nobody listening it does what it does by itself
    }
  };
  const unlisten = () => process.off('SIGINT', listen).off('SIGTERM', listen);
  process.on('SIGINT', listen).on('SIGTERM', listen);
  return () => {
    if (toldAt === null) unlisten();
  };
}
