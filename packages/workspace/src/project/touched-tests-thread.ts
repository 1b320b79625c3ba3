// Compares the tests of one change. It may have been made to be slow to read: then only this thread is held up.
import { parentPort, workerData } from 'node:worker_threads';
import type { ChangedFile } from '@sluice/core/change';
import { touchedTests } from '@sluice/test-integrity';

parentPort?.postMessage(touchedTests(workerData as readonly ChangedFile[]));
