import { readdirSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

/*
 * A child process that outlives its test file (its test failed before the line that ends it) holds the worker's stderr
 * open, and the run waits for that pipe for ever. So the children that a file leaves behind are killed.
 */

const CHILDREN = '/proc/self/task';

function childrenOfThisProcess(): number[] {
  const threads = readdirSync(CHILDREN);
  const listed = threads.map((thread) => {
    try {
      return readFileSync(`${CHILDREN}/${thread}/children`, 'utf8');
    } catch {
      return ''; // a thread that ended meanwhile
    }
  });
  return listed.join(' ').split(' ').filter(Boolean).map(Number);
}

afterAll(() => {
  if (process.platform !== 'linux') return;
  for (const child of childrenOfThisProcess()) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});
