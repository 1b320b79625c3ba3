import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RUN_FOLDER } from './run-folder.ts';

/** The variable of `npm test` that names a folder for vitest and Playwright, so that a whole run builds once. */
const PROGRAMS_FOLDER = 'SLUICE_TEST_PROGRAMS';
const BUILD = fileURLToPath(new URL('../../../../scripts/build.ts', import.meta.url));
const BUILT_WITHIN_MS = 180_000; // it takes four seconds on a quiet machine

let folder: Promise<string> | undefined;

/**
 * A program of ours as it is delivered, for tests that start processes: it starts in a quarter of the time that the
 * sources take. The first test file that asks builds it, once in a run.
 *
 * @returns the path of the program
 */
export async function builtProgram(name: 'server' | 'sluice'): Promise<string> {
  folder ??= buildOnce();
  return join(await folder, `${name}.js`);
}

/** @throws when the build fails, in every test file that asks for it */
async function buildOnce(): Promise<string> {
  const shared = process.env[PROGRAMS_FOLDER] ?? process.env[RUN_FOLDER];
  if (shared === undefined) return await buildAlone();
  const [claim, built, failed] = ['claim', 'programs', 'failed'].map((name) => join(shared, name)) as [
    string,
    string,
    string,
  ];
  if (isFirst(claim)) {
    try {
      await build(join(shared, 'programs-in-the-making'));
      renameSync(join(shared, 'programs-in-the-making'), built);
    } catch (error) {
      writeFileSync(failed, String(error));
      throw error;
    }
  }
  for (const began = Date.now(); !existsSync(built); await pause(50)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
    if (Date.now() - began > BUILT_WITHIN_MS) throw new Error('The build of the programs did not end.');
  }
  return built;
}

/** Outside a test run: for the programs of the soak run. */
async function buildAlone(): Promise<string> {
  const own = mkdtempSync(join(tmpdir(), 'sluice-programs-'));
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  await build(own);
  return own;
}

function isFirst(claim: string): boolean {
  try {
    mkdirSync(claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

async function build(out: string): Promise<void> {
  await promisify(execFile)(process.execPath, [BUILD, '--out', out]);
}
