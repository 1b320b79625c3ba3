// Compares one change. It may have been made to be slow to read: then only this thread is held up.
import { parentPort, workerData } from 'node:worker_threads';
import type { JudgedChange } from '@sluice/core/change';
import { changeFindings } from '@sluice/test-integrity';

parentPort?.postMessage(changeFindings(workerData as JudgedChange));
