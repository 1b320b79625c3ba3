import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from './sync-to-disk.ts';

/** The files that a decided restore puts into a data folder. */
export interface RestorePlan {
  readonly files: readonly {
    readonly name: string;
    /** What belongs to the file that is replaced, and goes with it. */
    readonly beside: readonly string[];
  }[];
  /** The files to remove. */
  readonly remove: readonly string[];
}

/** The folder of a restore. It exists if and only if a restore was decided. */
export function restoreFolder(dataDir: string): string {
  return join(dataDir, 'restore.ready');
}

/**
 * Completes a decided restore; safe to repeat. The caller holds the folder's lock.
 *
 * @returns the new location of the previous files by name, or null when there were none
 */
export function finishRestore(dataDir: string): string | null {
  const ready = restoreFolder(dataDir);
  const planFile = join(ready, 'plan.json');
  if (!existsSync(planFile)) {
    rmSync(ready, { recursive: true, force: true }); // all but its removal was done
    return null;
  }
  const plan: RestorePlan = JSON.parse(readFileSync(planFile, 'utf8'));
  const before = join(ready, 'before');
  mkdirSync(before, { recursive: true, mode: 0o700 });
  const caches = join(ready, 'caches');
  mkdirSync(caches, { recursive: true, mode: 0o700 });
  const move = (name: string, to: string) => {
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(to, name));
  };
  for (const { name, beside } of plan.files) {
    // Once the new one is in place, what stands there is the new one.
    if (!existsSync(join(ready, name))) continue;
    for (const old of [...beside, name]) move(old, before);
    renameSync(join(ready, name), join(dataDir, name));
  }
  for (const name of plan.remove) move(name, caches);
  syncFolder(before);
  syncFolder(dataDir);
  const replaced = readdirSync(before).length > 0;
  const kept = replaced ? `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : null;
  if (kept !== null) renameSync(before, join(dataDir, kept));
  rmSync(planFile);
  syncFolder(dataDir);
  rmSync(ready, { recursive: true, force: true });
  return kept;
}
