import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '@sluice/testing';
import type { ContractProxy } from './contract-proxy.ts';

/** A home, whose name contains a space, for runs on this machine. */
export interface LocalRuns extends Disposable {
  readonly home: string;
  /** Runs the command in a process of its own, without a terminal; its requests go through the proxy. */
  sluice(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

export function openLocalRuns(proxy: ContractProxy): LocalRuns {
  const home = mkdtempSync(join(tmpdir(), 'sluice run '));
  return {
    home,
    async sluice(...args) {
      const program = await builtProgram('sluice');
      return await new Promise((resolve) => {
        const env = {
          PATH: `${process.execPath.replace(/\/[^/]+$/, '')}:${process.env.PATH}`,
          HOME: home,
          ...proxy.env,
        };
        execFile(process.execPath, [program, ...args], { cwd: home, env, timeout: 300_000 }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        );
      });
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true }),
  };
}
