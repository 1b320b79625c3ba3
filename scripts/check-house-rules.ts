// Reads every file that git knows or would take, and prints what breaks a rule of the house.
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { issueStatuses } from '../packages/core/src/issue/issue-machine.ts';
import { findBreaches } from './house-rules.ts';
import { faultOfSize } from './large-files.ts';

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const isCode = (path: string) => /\.(ts|tsx|mts|cts|mjs|cjs|js)$/.test(path) && !/(^|\/)fixtures\//.test(path);
// A file that was just removed is still in git's list.
const files = listed
  .split('\0')
  .filter((path) => path !== '' && lstatSync(path, { throwIfNoEntry: false })?.isFile())
  .map((path) => ({ path, content: readFileSync(path) }));

const breaches = files.flatMap(({ path, content }) => {
  const size = faultOfSize(path, content);
  const found = isCode(path) ? findBreaches({ path, text: content.toString(), issueStatuses }) : [];
  return size === null ? found : [{ file: path, line: 1, rule: 'size', message: size }, ...found];
});
for (const { file, line, rule, message } of breaches) console.error(`${file}:${line}  ${rule}: ${message}`);
console.error(`${files.length} files read, ${breaches.length} breaches of the house rules`);
process.exitCode = breaches.length === 0 ? 0 : 1;
