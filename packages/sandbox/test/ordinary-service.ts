import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SandboxProbe, SandboxResult } from '@sluice/core/workspace';
import type { BwrapSandboxOptions } from '../src/bwrap/bwrap-sandbox.ts';

const asRoot = process.getuid?.() === 0;
const drop = ['--clear-groups', '--bounding-set=-all', '--inh-caps=-all', '--'];

export interface OrdinaryService {
  /** The user. As root, an id that no other user or run has, so that it has only this test's processes. */
  readonly uid: number;
  /** Its data folder, 0700. */
  readonly data: string;
  /** Runs commands in its sandbox, one after the other. */
  run(commands: readonly string[], options?: Partial<BwrapSandboxOptions>): Promise<OrdinaryRun>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface OrdinaryRun {
  readonly probe: SandboxProbe;
  readonly ran: readonly SandboxResult[];
}

/** A service that runs as an ordinary user, even if the tests run as root. */
export async function ordinaryService(): Promise<OrdinaryService> {
  const uid = asRoot ? 50_000 + (process.pid % 10_000) : (process.getuid?.() ?? 0);
  const data = await mkdtemp('/tmp/sluice-user-');
  const root = join(data, 'tree');
  await mkdir(root);
  await chmod(data, 0o700);
  if (asRoot) for (const folder of [data, root]) await chown(folder, uid, uid);
  const { stdout: path } = await promisify(execFile)('/bin/sh', ['-c', 'printf %s "$PATH"']);
  return {
    uid,
    data,
    async run(commands, more = {}) {
      const options: BwrapSandboxOptions = { readPaths: [], path, hideRoots: [data], scratchRoot: data, ...more };
      const service = fileURLToPath(import.meta.resolve('./ordinary-user.ts'));
      const script = [process.execPath, service, JSON.stringify(options), root, ...commands];
      const user = ['setpriv', '--reuid', String(uid), '--regid', String(uid), ...drop];
      const [program = '', ...rest] = asRoot ? [...user, ...script] : script;
      // Started with an unknown descriptor, as shells and supervisors do. Node closes low ones at exec, up to the first gap
      // above 15.
      const leaked = openSync(join(data, 'leaked'), 'w');
      const none = Array.from({ length: 197 }, () => 'ignore' as const);
      const child = spawn(program, rest, { cwd: data, stdio: ['ignore', 'pipe', 'inherit', ...none, leaked] });
      closeSync(leaked);
      const chunks = (await child.stdout?.toArray()) ?? [];
      const [probe, ...ran] = JSON.parse(Buffer.concat(chunks).toString('utf8')) as [SandboxProbe, ...SandboxResult[]];
      return { probe, ran };
    },
    [Symbol.asyncDispose]: () => rm(data, { recursive: true, force: true, maxRetries: 3 }),
  };
}
