import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const agents = fileURLToPath(new URL('../../../../packages/agents/src/', import.meta.url));

/** A hash over the sources of all that Sluice's agents tell a model: instructions, requests and tools. */
export function promptHash(): string {
  const hash = createHash('sha256');
  const files = globSync('{roles,tools}/**/*.{md,ts}', { cwd: agents }).filter((file) => !/test/.test(file));
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(`${agents}${file}`));
  return hash.digest('hex');
}
