import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Imported before the service, it measures how much processor time of its thread the loop spends between two turns of
 * a timer. That is at least what the longest task between them takes, however busy the machine is. Each second the largest
 * figure stands in the file `log` as a line: the time, and milliseconds.
 */
const log = new URL(import.meta.url).searchParams.get('log') ?? '';
const LOOK_MS = 5;
const WRITE_MS = 1_000;

if (isMainThread) {
  let longest = 0;
  let before = used();
  let writtenAt = Date.now();
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - before);
    if (Date.now() - writtenAt >= WRITE_MS) {
      writtenAt = Date.now();
      appendFileSync(log, `${writtenAt} ${longest.toFixed(1)}\n`);
      longest = 0;
    }
    before = used();
  };
  setInterval(look, LOOK_MS).unref();
}

function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
