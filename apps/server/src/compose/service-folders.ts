import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** The folders of this service: that of its program (in a checkout, the checkout) and its working directory. */
export function serviceFolders(program = process.argv[1]): string[] {
  if (program === undefined) return [process.cwd()];
  // The program may have been started through a symbolic link in PATH.
  const folder = dirname(realpathSync(program));
  return [folder.replace(/\/apps\/[^/]+\/src$/, ''), process.cwd()];
}
