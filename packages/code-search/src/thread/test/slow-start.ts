// A thread that needs three seconds until it is up, as any does on a machine that is busy enough, and then says what it hears.

import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

await pause(3_000);
parentPort?.on('message', ({ id, input }) => parentPort?.postMessage({ id, value: input }));
parentPort?.postMessage({ up: true });
