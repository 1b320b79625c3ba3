import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { builtProgram, untilFound } from '@sluice/testing';
import { shellWord } from '../src/terminal/shell-word.ts';

const TERMINAL = 'script'; // from util-linux: runs a command in a terminal and exits with its code

/** The command at a terminal, whose screen can be read and to which keys can be sent. */
export interface Screen extends Disposable {
  /** Waits for `text` after the text of the previous call. */
  shows(text: string): Promise<void>;
  /** What follows `text` on its line, from all that was shown. */
  lineAfter(text: string): string;
  types(...keys: string[]): void;
  /** Waits for the command's exit code. */
  ends(): Promise<number | null>;
}

export async function openScreen(args: readonly string[], env: Record<string, string>): Promise<Screen> {
  const command = [process.execPath, await builtProgram('sluice'), ...args].map(shellWord).join(' ');
  const child = spawn(TERMINAL, ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += stripVTControlCharacters(chunk);
  });
  return {
    async shows(wanted) {
      await untilFound(() => text.includes(wanted, seen));
      seen = text.indexOf(wanted, seen) + wanted.length;
    },
    lineAfter: (wanted) => text.slice(text.indexOf(wanted) + wanted.length).split('\r\n', 1)[0] ?? '',
    types(...keys) {
      for (const key of keys) child.stdin.write(key);
    },
    async ends() {
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
    [Symbol.dispose]() {
      child.kill('SIGKILL');
    },
  };
}
