import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Acknowledged } from './write-until-killed.ts';

const script = fileURLToPath(new URL('./write-until-killed.ts', import.meta.url));

/** A process that writes into a data folder until it is killed. */
interface Writer extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly acknowledged: readonly Acknowledged[];
  /** Waits for so many acknowledged writes. */
  until(count: number): Promise<void>;
  kill(): Promise<void>;
}

export function startWriter(dataDir: string): Writer {
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  const acknowledged: Acknowledged[] = [];
  let talk = '';
  child.stderr?.on('data', (text) => {
    talk += text;
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => acknowledged.push(JSON.parse(line)));
  const until = (count: number) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (acknowledged.length >= count) resolve();
      };
      lines.on('line', look);
      child.once('exit', () => reject(new Error(`the writer ended by itself: ${talk}`)));
      look();
    });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close'); // after the last of its output was read
    child.kill('SIGKILL');
    await closed;
  };
  return { child, acknowledged, until, kill, [Symbol.asyncDispose]: kill };
}
