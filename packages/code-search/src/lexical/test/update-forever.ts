// Updates an index again and again between two commits, until it is killed. Says each time that an update begins.
import { createPgCodeIndex } from '../../lexical-postgres/create-pg-code-index.ts';
import { createCodeIndex } from '../create-code-index.ts';
import { openScratchRepo } from './scratch-repo.ts';

const [place = '', folder = '', ...commits] = process.argv.slice(2);
const clock = { now: () => new Date() };
const index = place.startsWith('postgres:')
  ? createPgCodeIndex({ url: place, applicationName: 'to be killed', clock })
  : createCodeIndex({ file: place, clock, onRebuilt: (why) => console.log(`rebuilt ${why}`) });
const repo = openScratchRepo(folder);
const signal = new AbortController().signal;
for (;;) {
  for (const commit of commits) {
    console.log('updating');
    await index.update(repo.at(commit), signal);
  }
}
