import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BUILD = fileURLToPath(new URL('../../../scripts/build.ts', import.meta.url));

/** Passes the folder of the programs to the workers. */
const PROGRAMS = 'SLUICE_WEB_PROGRAMS';

/**
 * Builds the service once for all tests, as it is delivered with the console: it starts in a quarter of the time that the
 * sources take. In a whole run of `npm test` it is there already: vitest has built it.
 *
 * @returns what removes it
 */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export of its global set-up
export default async function buildService(): Promise<() => void> {
  const { SLUICE_TEST_PROGRAMS: shared } = process.env;
  if (shared !== undefined && existsSync(join(shared, 'programs'))) {
    process.env[PROGRAMS] = join(shared, 'programs');
    return () => undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-web-programs-'));
  process.env[PROGRAMS] = folder;
  await promisify(execFile)(process.execPath, [BUILD, '--out', folder]);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The program that `buildService` has built. */
export function builtService(): string {
  const folder = process.env[PROGRAMS];
  if (folder === undefined) throw new Error('The service is built by the global set-up of playwright.config.ts.');
  return join(folder, 'server.js');
}
