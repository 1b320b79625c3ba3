import { execFile } from 'node:child_process';
import { builtProgram } from '@sluice/testing';

/** Runs the real command with nothing in its environment but what is given. */
export async function sluice(args: readonly string[], env: Record<string, string>) {
  const command = await builtProgram('sluice');
  return await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [command, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
