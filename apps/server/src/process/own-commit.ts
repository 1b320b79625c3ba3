import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const IN_CHECKOUT = /\/apps\/(?:cli|server)\/src\/main\.ts$/;
const TIMEOUT_MS = 2_000;

/**
 * The commit of the checkout that a program runs from; null in a build, and in a checkout without git's folder.
 *
 * @param program the absolute path of the program
 */
export async function ownCommit(program: string): Promise<string | null> {
  if (!IN_CHECKOUT.test(program)) return null;
  const gitDir = program.replace(IN_CHECKOUT, '/.git');
  try {
    const options = { timeout: TIMEOUT_MS };
    const { stdout } = await promisify(execFile)('git', ['--git-dir', gitDir, 'rev-parse', 'HEAD'], options);
    return stdout.trim();
  } catch {
    return null;
  }
}
