import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startProcess } from '../service-process.ts';

// Usual way: apps/server/test/shutdown.test.ts

/** What `npm start` starts. */
const FROM_SOURCE = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Stops a process as soon as it prints that it listens, before it does anything else. */
const TOLD_AT_ONCE = `const { write } = process.stdout;
process.stdout.write = function (text, ...more) {
  const isWritten = write.call(this, text, ...more);
  if (String(text).startsWith('Sluice listens on')) process.kill(process.pid, 'SIGTERM');
  return isWritten;
};`;

/** Makes a process in which connections are never closed. */
const NEVER_CLOSES = `import { Server } from 'node:http';
Server.prototype.close = function () { return this; };`;

describe('a server that is closed', () => {
  it('ends by itself within ten seconds of the signal where something never closes', async () => {
    const preload = `data:text/javascript,${encodeURIComponent(NEVER_CLOSES)}`;
    const server = await startProcess({}, ['--import', preload], { program: FROM_SOURCE });
    expect(await server.stop()).toBe(0);
    expect(await server.ended).toBeNull();
    const said = readFileSync(join(server.dataDir, 'process.log'), 'utf8');
    expect(said).toContain('shutdown took longer than 9 s; exiting now.');
  });

  it('stops in order when the signal comes as soon as it listens', async () => {
    const preload = `data:text/javascript,${encodeURIComponent(TOLD_AT_ONCE)}`;
    const server = await startProcess({}, ['--import', preload], { program: FROM_SOURCE });
    expect([await server.ended, await server.stop()]).toEqual([null, 0]);
  });
});
