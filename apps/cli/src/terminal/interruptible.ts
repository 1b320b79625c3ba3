import { type ExitCode, exitCode } from './exit-code.ts';

/** Runs `work` until it ends or the person interrupts it; Ctrl-C and SIGTERM abort its signal, then `onInterrupt` speaks. */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<ExitCode>,
  onInterrupt: () => void,
): Promise<ExitCode> {
  const { onStopSignal } = await import('@sluice/server/stop-signal');
  const controller = new AbortController();
  const stopListening = onStopSignal(() => controller.abort());
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted && !isPromptExit(error)) throw error;
    onInterrupt();
    return exitCode.interrupted;
  } finally {
    stopListening();
  }
}

/** At a prompt the terminal is in raw mode: Ctrl-C arrives as the prompt's own error instead of a signal. */
export function isPromptExit(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError');
}
