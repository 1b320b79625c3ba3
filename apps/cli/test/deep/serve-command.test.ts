import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openServingFolder, type ServingFolder } from '../served.ts';

// Usual way: apps/cli/test/serve-command.test.ts

let serving: ServingFolder;
let folder: string;

beforeEach(async () => {
  serving = await openServingFolder();
  ({ folder } = serving);
});

afterEach(() => serving?.[Symbol.asyncDispose]());

it('tells a person what to do next, and logs JSON for programs only', async () => {
  const person = serving.serve(['--port', '0', '--data-dir', join(folder, 'person')], { LOG_FORMAT: 'text' });
  const { origin } = await serving.listening(person);
  person.child.kill('SIGTERM');
  await person.ended;
  const told = await person.stderr;
  expect(told).toMatch(new RegExp(`^  make an account +sluice login --url ${origin} --register$`, 'm'));
  // The second in a checkout whose console was not built.
  expect(told).toMatch(new RegExp(`^  (open in a browser +${origin}|read and try the API +${origin}/api/docs)$`, 'm'));
  expect(told).toMatch(/^\d\d:\d\d:\d\d stopped$/m);
  expect(told).not.toMatch(/^\{/m);

  const program = serving.serve(['--port', '0', '--data-dir', join(folder, 'program')]);
  await serving.listening(program);
  program.child.kill('SIGTERM');
  await program.ended;
  const lines = (await program.stderr).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: expect.stringMatching(/^listening on http/) }),
  );
});

it('reports in one line that its data folder is in use', async () => {
  await serving.listening(serving.serve(['--port', '0']));
  expect(await serving.refusal('--port', '0')).toMatch(
    /^sluice: Another Sluice process uses this data folder: stop it/,
  );
});

it('reports in one line that its data folder cannot be created', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(await serving.refusal('--data-dir', 'file')).toMatch(
    /^sluice: The data folder cannot be created \(EEXIST\): set DATA_DIR/,
  );
});

it('reports in one line that its secrets are damaged', async () => {
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'secrets.json'), '{');
  expect(await serving.refusal('--port', '0')).toMatch(
    /^sluice: secrets\.json in the data folder is damaged: restore it/,
  );
});
