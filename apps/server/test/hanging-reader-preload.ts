import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread } from 'node:worker_threads';

/** Imported before the service, it makes each reading of a red output hang for ever, and writes the file `reading` when one begins. */
const { Worker } = threads;
const HANGS = new URL('data:text/javascript,for(;;);');

if (isMainThread) {
  threads.Worker = class extends Worker {
    constructor(script: string | URL, options?: threads.WorkerOptions) {
      const isReader = String(script).includes('read-tests-thread') && String(options?.workerData).includes('not ok');
      if (isReader) writeFileSync('reading', '');
      super(isReader ? HANGS : script, options);
    }
  };
  syncBuiltinESMExports();
}
