// Writes the generated files; with --check, only lists the stale ones.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generators } from './generated-files.ts';

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const onlyCheck = process.argv.includes('--check');
let stale = 0;
let files = 0;
for (const { name, print } of generators) {
  for (const [path, text] of Object.entries(await print())) {
    files += 1;
    if (readIfThere(path) === text) continue;
    stale += 1;
    if (onlyCheck) {
      console.error(`${path} is stale (${name}): run "npm run gen" and commit the result`);
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.error(`wrote ${path}`);
  }
}
console.error(`${files} generated files, ${stale} ${onlyCheck ? 'stale' : 'written'}`);
if (onlyCheck && stale > 0) process.exitCode = 1;
