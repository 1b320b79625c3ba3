import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxCommand, SandboxLimits } from '@sluice/core/workspace';

/** The owner of the trees when the tests run as root. */
export const treeUser = 5_001;

const roomyLimits: SandboxLimits = {
  timeoutMs: 100_000, // tells of a hang, never of a busy machine
  memoryBytes: 512 * 2 ** 20,
  processes: 128,
  fileBytes: 64 * 2 ** 20,
  diskBytes: 256 * 2 ** 20,
  outputBytes: 64 * 2 ** 10,
};

export interface ScratchTree {
  /** A private folder (0700) with the trees in it, like a data folder. */
  readonly data: string;
  /** Makes a new tree in it, whose name begins so. */
  tree(name: string): Promise<string>;
  /** Writes a file that belongs to the owner of the tree. */
  write(root: string, name: string, content: string): Promise<void>;
  /** A command with generous limits. */
  command(
    root: string,
    command: string,
    more?: Partial<Omit<SandboxCommand, 'limits'>> & { limits?: Partial<SandboxLimits> },
  ): SandboxCommand;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A data folder with working trees, like that of a service. */
export async function scratchTree(): Promise<ScratchTree> {
  // Not inside the test runner's folder: the sandbox must work with short paths as well as with long ones.
  const data = await mkdtemp('/tmp/sluice-scratch-');
  await chmod(data, 0o700);
  return {
    data,
    async tree(name) {
      const root = await mkdtemp(join(data, `${name}-`)); // private, and a new one for each try of a test
      if (process.getuid?.() === 0) await chown(root, treeUser, treeUser);
      return root;
    },
    async write(root, name, content) {
      await writeFile(join(root, name), content);
      if (process.getuid?.() === 0) await chown(join(root, name), treeUser, treeUser);
    },
    command: (root, command, more = {}) => ({
      command,
      root,
      gitDir: null,
      allowHosts: [],
      owner: 'user-1',
      signal: new AbortController().signal,
      ...more,
      limits: { ...roomyLimits, ...more.limits },
    }),
    [Symbol.asyncDispose]: () => rm(data, { recursive: true, force: true, maxRetries: 3 }),
  };
}
