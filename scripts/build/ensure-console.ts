import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleConsole } from './bundle-console.ts';

// Both also run before Node 24 is there: plain JavaScript, without types.
const { consoleStamp, isConsoleBuilt }: ConsoleStamp = await import(
  new URL('../console-stamp.mjs', import.meta.url).href
);
const { takeLock }: HeldLock = await import(new URL('../held-lock.mjs', import.meta.url).href);

interface ConsoleStamp {
  consoleStamp(root: string): string;
  isConsoleBuilt(root: string): boolean;
}

interface HeldLock {
  takeLock(file: string): void;
}

/**
 * Builds the console unless it is built from the sources as they are. Of two processes that ask at once, one builds and the
 * other waits for it.
 *
 * @throws Error when it cannot be built
 */
export async function ensureConsole(root: string): Promise<void> {
  if (isConsoleBuilt(root)) return;
  const lock = join(root, 'node_modules/.sluice-building-console');
  takeLock(lock);
  try {
    if (!isConsoleBuilt(root)) await bundleConsole(root, consoleStamp(root));
  } finally {
    rmSync(lock, { force: true });
  }
}
