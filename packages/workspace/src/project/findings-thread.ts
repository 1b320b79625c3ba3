// Compares one change. It may have been made to be slow to read: then only this thread is held up.
import { parentPort, workerData } from 'node:worker_threads';
import { changeFindings, type JudgedChange } from '@sluice/core/integrity';

parentPort?.postMessage(changeFindings(workerData as JudgedChange));
