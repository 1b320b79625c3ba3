// A process that opens a Postgres database as every one of the service does, says so, and ends.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { openPostgres } from '../src/index.ts';

const clock = { now: () => new Date() };

writeSync(1, 'opens\n');
await using _ = await openPostgres({ url: argv[2] ?? '', applicationName: 'sluice-test', clock });
writeSync(1, 'open\n');
