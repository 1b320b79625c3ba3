// Updates an index again and again between two commits, until it is killed. Says each time that an update begins.
import { createCodeIndex } from '../create-code-index.ts';
import { openScratchRepo } from './scratch-repo.ts';

const [file = '', folder = '', ...commits] = process.argv.slice(2);
const index = createCodeIndex({
  file,
  clock: { now: () => new Date() },
  onRebuilt: (why) => console.log(`rebuilt ${why}`),
});
const repo = openScratchRepo(folder);
const signal = new AbortController().signal;
for (;;) {
  for (const commit of commits) {
    console.log('updating');
    await index.update(repo.at(commit), signal);
  }
}
