import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import { type ProgressView, renderProgress } from '../render/render-progress.ts';
import type { Output } from '../terminal/output.ts';
import { createCommandEcho } from './command-echo.ts';
import { createLiveStatus } from './live-status.ts';

/** Shows the events of an issue, and between them that it is alive. Disposing removes the status line. */
export interface Progress extends Disposable {
  show(event: IssueEvent | LiveEvent): void;
  /** Shows no status line while `work` uses the terminal. */
  pauseFor<T>(work: () => Promise<T>): Promise<T>;
}

const TICK_MS = 250;

export function followProgress(
  output: Output,
  options: { readonly isSilent: boolean; readonly verbose?: boolean | undefined; readonly signal: AbortSignal },
): Progress {
  const { isSilent, verbose = false, signal } = options;
  if (isSilent) return { show: () => undefined, pauseFor: (work) => work(), [Symbol.dispose]: () => undefined };
  const status = createLiveStatus(output);
  const echo = createCommandEcho();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    status.clear();
  };
  const start = () => {
    clearInterval(timer);
    if (!signal.aborted) timer = setInterval(status.tick, TICK_MS);
  };
  // Node prints an uncaught error before it exits; the trace must not begin inside the status line.
  process.on('uncaughtExceptionMonitor', stop);
  signal.addEventListener('abort', stop);
  const print = (event: IssueEvent | LiveEvent, excerpt: ProgressView['excerpt']) => {
    const { messageStyle: style, messageWidth: width } = output;
    const text = renderProgress(event, { style, width, excerpt });
    if (text !== null) status.print(text);
  };
  /** A command that failed. The failure of its stage usually follows at once, and has the same output. */
  let held: IssueEvent | null = null;
  const printHeld = (excerpt: 'failure' | 'none') => {
    if (held !== null) print(held, excerpt);
    held = null;
  };
  start();
  return {
    show(event) {
      status.follow(event);
      printHeld(event.type === 'stage.failed' && event.data.detail.includes('\n') ? 'none' : 'failure');
      const lines = echo.take(event);
      if (verbose) for (const line of lines) status.print(`  ${output.messageStyle('dim', line)}`);
      if (!verbose && event.type === 'command.finished' && event.data.exit_code !== 0) held = event;
      else print(event, !verbose ? 'failure' : echo.hasOutput ? 'none' : 'all');
    },
    async pauseFor(work) {
      stop();
      try {
        return await work();
      } finally {
        start();
      }
    },
    [Symbol.dispose]() {
      printHeld('failure');
      stop();
      signal.removeEventListener('abort', stop);
      process.off('uncaughtExceptionMonitor', stop);
    },
  };
}
