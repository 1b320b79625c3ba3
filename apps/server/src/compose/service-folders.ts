import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** The folders that this service runs from: its program's (in a checkout, the checkout) and its working folder. */
export function serviceFolders(program = process.argv[1]): string[] {
  if (program === undefined) return [process.cwd()];
  // It may have been started by a link in a folder of PATH.
  const folder = dirname(realpathSync(program));
  return [folder.replace(/\/apps\/[^/]+\/src$/, ''), process.cwd()];
}
