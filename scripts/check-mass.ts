// The size of each package beside the table of mass, and private steps that stand in files of their own.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { excusedFiles } from './mass/excused-files.ts';
import { faultsOfMass, measurePackages } from './mass/mass.ts';
import { massTable } from './mass/mass-table.ts';
import { faultsOfSmallFiles } from './mass/small-files.ts';
import { isSourceFile } from './mass/source-file.ts';

const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.css', '*/package.json'],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const files = listed
  .split('\0')
  .filter((path) => path !== '' && existsSync(path)) // a file that was just removed is still in git's list
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const packages = measurePackages(files);
const faults = [
  ...faultsOfMass(packages, massTable),
  ...faultsOfSmallFiles(
    files.filter(({ path }) => isSourceFile(path)),
    excusedFiles,
  ),
];
for (const fault of faults) console.error(fault);
const lines = packages.reduce((sum, { mass }) => sum + mass.lines, 0);
const count = packages.reduce((sum, { mass }) => sum + mass.files, 0);
const perThousand = ((count / lines) * 1_000).toFixed(1);
console.error(
  `${lines} source lines in ${count} files, ${perThousand} files per thousand lines; ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
