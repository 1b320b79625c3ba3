import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable that passes the folder to the workers. */
export const RUN_FOLDER = 'SLUICE_TEST_RUN';

/** Vitest's global set-up: creates a folder that all test files of the run share, and deletes it at the end. */
export function setup(): () => void {
  if (process.env[RUN_FOLDER] !== undefined) return () => undefined; // another project of this run has created it
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-run-'));
  process.env[RUN_FOLDER] = folder;
  // The configuration of whoever runs the tests must not reach them: it may name a model that costs money.
  process.env.XDG_CONFIG_HOME = join(folder, 'no-config');
  // Processes that load the same sources strip and compile them once in a run.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache');
  return () => rmSync(folder, { recursive: true, force: true });
}
