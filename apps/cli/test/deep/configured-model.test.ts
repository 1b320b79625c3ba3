import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeSampleRepo } from '../../src/local/sample-repo.ts';
import { openTerminal, type Terminal } from '../terminal.ts';

// Usual way: apps/cli/test/configured-model.test.ts

/** A model server that refuses every request, and remembers which models were asked for. */
let modelServer: Server;
let asked: string[];
let url: string;
let terminal: Terminal;
let repo: string;

beforeAll(async () => {
  modelServer = createServer(async (request, response) => {
    // The window of a model is asked for too. This server does not tell it.
    if (request.method !== 'POST') return void response.writeHead(404).end();
    asked.push((JSON.parse(await text(request)) as { model: string }).model);
    response.writeHead(400, { 'Content-Type': 'application/json' });
    response.end('{"error": {"message": "out of order", "type": "invalid_request_error"}}');
  });
  await new Promise<void>((resolve) => modelServer.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(modelServer.address() as AddressInfo).port}/v1`;
});

afterAll(() => modelServer?.close());

beforeEach(async () => {
  asked = [];
  terminal = await openTerminal();
  repo = await makeSampleRepo(terminal.home);
  writeFileSync(join(terminal.home, 'idea.md'), 'Make the invoice prettier\n');
});

afterEach(() => terminal[Symbol.dispose]());

const run = (...more: string[]) => terminal.sluice(['run', '--repo', repo, '--yes', ...more], { cwd: repo });

it('uses the model of the user file or a flag, and not that of the repository in the current folder', async () => {
  for (const [name, value] of Object.entries({ MODEL: 'compatible/mine', MODEL_BASE_URL: url, MODEL_API_KEY: '-' })) {
    const set = await terminal.sluice(['config', 'set', name, value], { input: 'hunter2\n' });
    expect(set.code, set.stderr).toBe(0);
  }
  const shown = await terminal.sluice(['config']);
  const path = join(terminal.home, '.config/sluice/config');
  expect(shown.stdout).toMatch(new RegExp(`^MODEL +compatible/mine +user file ${path}$`, 'm'));
  expect(shown.stdout).not.toContain('hunter2');
  writeFileSync(join(repo, '.env'), `MODEL=compatible/theirs\nSANDBOX=none\n`);
  const failed = await run('--issue', '../idea.md');
  expect(failed.code, failed.stderr).toBe(7);
  expect(failed.stdout).toContain('out of order');
  expect(failed.stderr).toContain('it sets MODEL, SANDBOX.');
  expect(new Set(asked)).toEqual(new Set(['mine']));
  const other = await run('--continue', '--model', 'compatible/other', '--no-wait');
  expect(other.code, other.stderr).toBe(7);
  expect(asked).toContain('other');
  expect(other.stderr).toContain('--continue --model compatible/other');
});
