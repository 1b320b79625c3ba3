// Holds docs/asvs.md against the list of requirements, and what it cites against the sources.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { asvsFaults } from './asvs/asvs-faults.ts';
import { asvsLevels } from './asvs/asvs-levels.ts';

const PAGE = 'docs/asvs.md';

function read(path: string): string | null {
  if (!existsSync(path)) return null;
  return statSync(path).isDirectory() ? '' : readFileSync(path, 'utf8');
}

const faults = asvsFaults({ levels: asvsLevels, pagePath: PAGE, page: readFileSync(PAGE, 'utf8'), read });
for (const fault of faults) console.error(fault);
console.error(`${asvsLevels.size} requirements, ${faults.length} faults in ${PAGE}`);
process.exitCode = faults.length === 0 ? 0 : 1;
