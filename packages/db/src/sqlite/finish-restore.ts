import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from './sync-to-disk.ts';

/** What a restore that was decided on puts into a data folder. */
export interface RestorePlan {
  readonly files: readonly {
    readonly name: string;
    /** What belongs to the file that is replaced, and goes with it. */
    readonly beside: readonly string[];
  }[];
  /** What is removed. */
  readonly remove: readonly string[];
}

/** The folder whose being there says that a restore was decided on. */
export function restoreFolder(dataDir: string): string {
  return join(dataDir, 'restore.ready');
}

/**
 * Does what is left of a restore that was decided on, however often it was begun. The caller holds the folder's lock.
 *
 * @returns where what was there before is now, by its name in the folder; null when nothing was
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
