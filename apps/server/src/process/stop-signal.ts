/** On Ctrl-C the terminal and `npm run` both signal the child: a second signal this soon is the same key press. */
const SAME_PRESS_MS = 1_000;

/**
 * Calls `onStop` at the first SIGINT or SIGTERM. A second one, at least a second later, ends the process at
 * once; unfinished work is recovered at the next start.
 *
 * @returns a function that stops listening. After the first signal it does nothing: the second signal of the same key
 *   press may still arrive, and would kill the process during its shutdown.
 */
export function onStopSignal(onStop: () => void): () => void {
  let signalledAt: number | null = null;
  const listen = (signal: NodeJS.Signals) => {
    if (signalledAt === null) {
      signalledAt = performance.now();
      onStop();
    } else if (performance.now() - signalledAt >= SAME_PRESS_MS) {
      unlisten();
      process.kill(process.pid, signal); // without a listener the signal has its default effect
    }
  };
  const unlisten = () => process.off('SIGINT', listen).off('SIGTERM', listen);
  process.on('SIGINT', listen).on('SIGTERM', listen);
  return () => {
    if (signalledAt === null) unlisten();
  };
}
