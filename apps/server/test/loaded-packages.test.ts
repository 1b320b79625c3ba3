import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@sluice/testing';
import { expect, it } from 'vitest';
import { startProcess } from './service-process.ts';

/** Writes down at the end which modules the process has loaded: of its folder, and of Node's own. */
const NOTES_MODULES = `
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.once('exit', () => writeFileSync('loaded.json', JSON.stringify({ loaded, own: process.moduleLoadList })));
`;

it('starts without the packages that it may never use, and without the HTTP client of Node', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(NOTES_MODULES)}`;
  const server = await startProcess({}, ['--import', preload]);
  await eventually(async () => expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200));
  expect(await server.stop()).toBe(0);
  const { loaded, own } = JSON.parse(readFileSync(join(server.dataDir, 'loaded.json'), 'utf8'));
  expect(loaded.filter((url: string) => url.includes('/on-demand-'))).toEqual([]);
  expect(loaded.some((url: string) => url.includes('/better-sqlite3/'))).toBe(true);
  expect(own.filter((name: string) => name.endsWith('undici/undici'))).toEqual([]);
});
