import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import { type ProgressView, renderProgress } from '../render/render-progress.ts';
import type { Output } from '../terminal/output.ts';
import { plainOutputLine } from '../terminal/plain-text.ts';
import { createLiveStatus } from './live-status.ts';

/** Shows the events of an issue, and between them that it is alive. Disposing removes the status line. */
interface Progress extends Disposable {
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

/** Turns the pieces of a command's live output into whole lines, safe to print. */
interface CommandEcho {
  /** @returns the lines that are complete after `event`; none for other events than those of commands */
  take(event: IssueEvent | LiveEvent): string[];
  /** Whether output of the present command was taken. Live output is not replayed, so that of a past one was not. */
  readonly hasOutput: boolean;
}

export function createCommandEcho(): CommandEcho {
  let rest = '';
  let hasOutput = false;
  return {
    get hasOutput() {
      return hasOutput;
    },
    take(event) {
      if (event.type === 'command.started') {
        rest = '';
        hasOutput = false;
      }
      if (event.type === 'command.output') {
        hasOutput = true;
        const lines = `${rest}${event.data.text}`.split('\n');
        rest = lines.pop() ?? '';
        return lines.map(plainOutputLine);
      }
      if (event.type === 'command.finished' && rest !== '') {
        const last = plainOutputLine(rest);
        rest = '';
        return [last];
      }
      return [];
    },
  };
}
