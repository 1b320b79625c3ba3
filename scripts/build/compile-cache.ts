import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const STARTED_WITHIN_MS = 120_000; // it takes a second on a quiet machine

/**
 * The first statements of a program that reuses code compiled before, which saves a third of a start. Node refuses what
 * another version or other options have compiled, or does not belong to the same source, and compiles that itself. An old
 * Node, which has no such cache, must still reach the sentence that refuses it.
 */
export const useCompileCache = `import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
nodeModule.enableCompileCache?.({ directory: fileURLToPath(new URL('compile-cache', import.meta.url)), portable: true });`;

/**
 * Fills the cache of the programs in a folder: runs each once, because Node writes at exit what it has compiled. The
 * service is started as an operator would, and stopped when it listens, so that the functions of a start are in the cache.
 *
 * @throws Error when a program fails
 */
export async function fillCompileCache(folder: string): Promise<void> {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'sluice.js'), '--help'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The built command line failed: ${stderr}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-build-'));
  try {
    const child = spawn(process.execPath, [join(folder, 'server.js')], {
      cwd: dataDir, // where no .env of the builder is read
      env: { PATH: process.env.PATH, HOME: dataDir, DATA_DIR: dataDir, PORT: '0', SANDBOX: 'none', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: STARTED_WITHIN_MS,
      killSignal: 'SIGKILL',
    });
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('Sluice listens on ')) child.kill('SIGTERM');
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`The built service failed: ${errors}`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  letAllRead(join(folder, 'compile-cache'));
}

/** Node writes files that their owner alone can read, and the service seldom runs as the user who built it. */
function letAllRead(cache: string): void {
  for (const entry of readdirSync(cache, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
