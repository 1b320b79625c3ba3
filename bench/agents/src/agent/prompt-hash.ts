import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownRoot = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * The folders with every text that Sluice sends to a model: instructions, requests, tools and corrections; the
 * environment, the results of tests and what is sent back to a coder; the schemas of answers; a reviewer's subjects;
 * where an edit would not parse. Whole folders, because a text that moves to another file must not drop out. A change
 * that no model sees changes the hash too, which only makes it careful.
 */
const FOLDERS = [
  'packages/agents/src',
  'packages/worker/src/stages',
  'packages/worker/src/agent',
  'packages/code-search/src/lexical/syntax',
  'packages/core/src/pipeline',
  'packages/core/src/change',
  'packages/test-integrity/src',
];

/** A hash over the sources of all that Sluice's agents tell a model. @throws Error when there is none in a folder of them */
export function promptHash(root = ownRoot): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    const files = globSync(`${folder}/**/*.{md,ts}`, { cwd: root }).filter(
      (file) => !/\.test\.ts$|\/test\//.test(file),
    );
    if (files.length === 0) throw new Error(`${join(root, folder)} holds no sources to hash the prompts of.`);
    for (const file of files.sort())
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update('\0');
  }
  return hash.digest('hex');
}
