import { readdirSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

/*
 * A child that outlives its test file (its test failed before the line that ends it) holds the worker's stderr open,
 * and the whole run then waits for that pipe to close: one failed test became a run without an end. So what a file
 * left behind is ended with it.
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
      // It ended by itself meanwhile.
    }
  }
});
