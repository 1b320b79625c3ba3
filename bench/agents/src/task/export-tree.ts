import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const MOST_BYTES = 2 ** 31 - 1; // what one buffer of Node holds

/** Writes the files of a commit of a clone, without its history. @param folder where; made if it is missing */
export function exportTree(clone: string, commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['-C', clone, 'archive', '--format=tar', commit], { maxBuffer: MOST_BYTES });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
}
