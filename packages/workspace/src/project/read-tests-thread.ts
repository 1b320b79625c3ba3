// Reads one output. It may have been made to be slow to read: then only this thread is held up.
import { parentPort, workerData } from 'node:worker_threads';
import { readTests } from './read-tests.ts';

parentPort?.postMessage(readTests(String(workerData)));
