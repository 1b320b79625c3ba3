// A process that serves the api over a database that stays, and kills itself right before or right after an issue is
// written there: in the second case everything stands, and nobody has been answered.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { openStoresAt } from './open-stores-at.ts';
import { startApi } from './start-api.ts';

const [, , place = '', when = ''] = argv;

function killMyself(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // nothing of this process may run any more
}

const { port } = await startApi({
  openStores: async (options) => {
    const stores = await openStoresAt(place, options);
    const { issues } = stores;
    const create: typeof issues.create = async (issue, how) => {
      if (when === 'before') killMyself();
      const outcome = await issues.create(issue, how);
      if (when === 'after') killMyself();
      return outcome;
    };
    return { ...stores, issues: { ...issues, create } };
  },
});
writeSync(1, `${port}\n`);
