import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtProgram } from '@sluice/testing';
import { expect } from 'vitest';

interface Served {
  readonly child: ChildProcess;
  readonly ended: Promise<[number | null, string | null]>;
  readonly stderr: Promise<string>;
}

/** A folder in which servers are started, each a process of the command. Its disposal kills them. */
export interface ServingFolder extends AsyncDisposable {
  readonly folder: string;
  serve(args: readonly string[], environment?: Record<string, string>): Served;
  /** Waits for its URL, which is the first thing that it prints. */
  listening(served: Served): Promise<URL>;
  /** The only line that a refused start prints. */
  refusal(...args: string[]): Promise<string>;
}

export async function openServingFolder(): Promise<ServingFolder> {
  const program = await builtProgram('sluice');
  const folder = mkdtempSync(join(tmpdir(), 'sluice serve '));
  const all: Served[] = [];
  const serve: ServingFolder['serve'] = (args, environment = {}) => {
    const child = spawn(process.execPath, [program, 'serve', ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const served = { child, ended: once(child, 'exit') as Served['ended'], stderr: text(child.stderr) };
    all.push(served);
    return served;
  };
  return {
    folder,
    serve,
    async listening({ child, ended, stderr }) {
      const line = once(child.stdout?.setEncoding('utf8') as NonNullable<typeof child.stdout>, 'data') as Promise<
        [string]
      >;
      const gone = ended.then(async () =>
        Promise.reject(new Error(`the server ended before it listened: ${await stderr}`)),
      );
      return new URL(/^Sluice listens on (\S+)\n$/.exec((await Promise.race([line, gone]))[0])?.[1] ?? 'none');
    },
    async refusal(...args) {
      const { ended, stderr } = serve(args);
      expect(await ended).toEqual([1, null]);
      const [sentence = '', ...rest] = (await stderr)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('{'));
      expect(rest, rest.join()).toEqual([]);
      return sentence;
    },
    async [Symbol.asyncDispose]() {
      for (const { child, ended } of all) {
        child.kill('SIGKILL');
        await ended; // until then it writes to the folder
      }
      rmSync(folder, { recursive: true });
    },
  };
}
