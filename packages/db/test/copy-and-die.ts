// A process that copies a data folder into Postgres and is gone at its Nth step, as by a power cut. Without that step it ends,
// and prints the peak of its memory in KiB.
import { argv } from 'node:process';
import { copyToPostgres } from '../src/index.ts';

const [dataDir = '', url = '', last = '0'] = argv.slice(2);
let step = 0;
await copyToPostgres({
  dataDir,
  url,
  applicationName: 'sluice-test',
  onTable: () => {
    step += 1;
    if (step === Number(last)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(`${process.resourceUsage().maxRSS}`);
