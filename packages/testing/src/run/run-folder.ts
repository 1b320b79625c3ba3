import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the workers of a run find its folder. */
export const RUN_FOLDER = 'SLUICE_TEST_RUN';

/** Vitest's global set-up: gives the run a folder for what all its test files share, and deletes it at the end. */
export function setup(): () => void {
  if (process.env[RUN_FOLDER] !== undefined) return () => undefined; // another project of this run has made it
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-run-'));
  process.env[RUN_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
