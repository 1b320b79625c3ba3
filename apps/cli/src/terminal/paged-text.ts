import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { displayWidth } from './display-width.ts';
import { chosenPager } from './environment.ts';

/** Takes a long text piece by piece and shows it in a pager, if it does not fit the terminal. */
export interface PagedText {
  /** @returns false when nobody reads on: the user has left the pager, or the reader of the pipe is gone */
  write(text: string): Promise<boolean>;
  /** Waits until the user has left the pager, and says so if it failed. */
  end(): Promise<void>;
}

/** Pages what is written to stdout. Without a terminal, a pager or need for one it is written directly. */
export function openPagedText(): PagedText {
  const { stdout } = process;
  const pager = stdout.isTTY === true ? chosenPager() : null;
  let held = pager === null ? null : '';
  let running: RunningPager | null = null;
  return {
    async write(text) {
      if (running !== null) return await running.write(text);
      if (pager === null || held === null) {
        stdout.write(text);
        return !stdout.destroyed;
      }
      held += text;
      if (fits(held, stdout)) return true;
      const all = held;
      held = null;
      if (canRun(pager.command)) running = startPager(pager);
      if (running !== null) return await running.write(all);
      stdout.write(all);
      return true;
    },
    async end() {
      if (held !== null) stdout.write(held);
      await running?.end();
    },
  };
}

interface RunningPager {
  write(text: string): Promise<boolean>;
  end(): Promise<void>;
}

/** Through a shell, as git does it: the command may have options. */
function startPager({ command, env }: { command: string; env: NodeJS.ProcessEnv }): RunningPager {
  process.on('SIGINT', ignore); // Ctrl-C is for the pager, which stops a search with it
  const child: ChildProcess & { readonly stdin: Writable } = spawn('sh', ['-c', command], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env,
  });
  child.stdin.on('error', ignore); // the user has left before the end
  const exit = once(child, 'exit');
  return {
    async write(text) {
      if (child.exitCode !== null) return false;
      if (!child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain').catch(ignore), exit]);
      return child.exitCode === null;
    },
    async end() {
      child.stdin.end();
      const [code, signal] = await exit;
      process.off('SIGINT', ignore);
      if (code === 0) return;
      const detail = `The pager "${command}" failed (${code ?? signal})`;
      process.stderr.write(`${detail}. Set another one: export SLUICE_PAGER=…, or none: export SLUICE_PAGER=\n`);
    },
  };
}

function ignore(): void {
  // The caller goes on.
}

/** Whether the text, wrapped by the terminal, leaves a line for the prompt. */
function fits(text: string, { columns, rows }: { readonly columns: number; readonly rows: number }): boolean {
  const lines = text.replace(/\n$/, '').split('\n');
  const height = (line: string) => Math.max(1, Math.ceil(displayWidth(line) / (columns || 80)));
  return lines.reduce((sum, line) => sum + height(line), 0) < (rows || 24);
}

/** Whether a shell finds the program of a command line. */
function canRun(command: string): boolean {
  const [program = ''] = command.trim().split(/\s+/);
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0;
}
