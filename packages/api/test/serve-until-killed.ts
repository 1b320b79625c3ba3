// A process that serves the api over a database that stays, and kills itself right before or right after an issue is
// written there: in the second case everything stands, and nobody has been answered. Or between two repositories of an account
// that is being deleted.
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
    const { issues, deletions } = stores;
    let settled = 0;
    const settleRepo: typeof deletions.settleRepo = async (...args) => {
      if (when === 'between' && settled === 1) killMyself();
      settled += 1;
      return await deletions.settleRepo(...args);
    };
    const create: typeof issues.create = async (issue, how) => {
      if (when === 'before') killMyself();
      const outcome = await issues.create(issue, how);
      if (when === 'after') killMyself();
      return outcome;
    };
    return { ...stores, issues: { ...issues, create }, deletions: { ...deletions, settleRepo } };
  },
});
writeSync(1, `${port}\n`);
