import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const IN_CHECKOUT = /\/apps\/(?:cli|server)\/src\/main\.ts$/;
const COMMIT = /^[0-9a-f]{40}$/;
const TIMEOUT_MS = 2_000;

/**
 * The commit that a program is made of: that of the checkout that it runs from, or the one that `npm run build` wrote into
 * the `package.json` beside it. Null in a checkout without git's folder, and in a build of one.
 *
 * @param program the absolute path of the program, which may be a link
 */
export async function ownCommit(program: string): Promise<string | null> {
  try {
    const commit = IN_CHECKOUT.test(program) ? await checkedOut(program) : await built(program);
    return COMMIT.test(commit) ? commit : null;
  } catch {
    return null;
  }
}

async function checkedOut(program: string): Promise<string> {
  const gitDir = program.replace(IN_CHECKOUT, '/.git');
  const options = { timeout: TIMEOUT_MS };
  const { stdout } = await promisify(execFile)('git', ['--git-dir', gitDir, 'rev-parse', 'HEAD'], options);
  return stdout.trim();
}

async function built(program: string): Promise<string> {
  const beside = join(dirname(await realpath(program)), 'package.json');
  const { gitHead } = JSON.parse(await readFile(beside, 'utf8')) as { gitHead?: unknown };
  return String(gitHead);
}
