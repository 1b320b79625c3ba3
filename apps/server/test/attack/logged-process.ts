import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram } from '@sluice/testing';

/** The service as an operator starts it, and everything that it says. */
export interface LoggedProcess {
  readonly url: string;
  readonly pid: number;
  /** The file that its output and its errors go to. */
  readonly log: string;
  readonly isRunning: () => boolean;
  kill(): Promise<void>;
}

export async function startLogged(environment: Record<string, string>): Promise<LoggedProcess> {
  const dataDir = environment.DATA_DIR ?? '';
  const log = join(dataDir, 'process.log');
  const child = spawn(process.execPath, [await builtProgram('server')], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'debug', ALLOW_LOCAL_REPOS: 'on', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const heard = (chunk: Buffer) => {
      appendFileSync(log, chunk);
      said = `${said}${chunk}`.slice(-10_000);
      const found = /^Sluice listens on (\S+)$/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', heard);
    child.stderr.on('data', heard);
    child.on('exit', (code, signal) => {
      appendFileSync(log, `ended: ${code ?? signal}\n`);
      reject(new Error(`The service ended before it listened: ${said}`));
    });
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    url,
    pid: child.pid ?? 0,
    log,
    isRunning,
    kill: async () => {
      if (!isRunning()) return;
      child.kill('SIGKILL');
      await exited;
    },
  };
}
