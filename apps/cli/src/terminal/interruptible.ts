import { type ExitCode, exitCode } from './exit-code.ts';

/** Runs `work` until it ends or the user interrupts it: Ctrl-C and SIGTERM abort its signal, then `onInterrupt` runs. */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<ExitCode>,
  onInterrupt: () => void | Promise<void>,
): Promise<ExitCode> {
  const { onStopSignal } = await import('@sluice/server/stop-signal');
  const controller = new AbortController();
  const stopListening = onStopSignal(() => controller.abort());
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted && !isPromptExit(error)) throw error;
    await onInterrupt();
    return exitCode.interrupted;
  } finally {
    stopListening();
  }
}

/** A prompt sets the terminal to raw mode, so Ctrl-C arrives as the prompt's own error and not as a signal. */
export function isPromptExit(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError');
}
