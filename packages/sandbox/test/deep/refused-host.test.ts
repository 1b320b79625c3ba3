import { execFileSync } from 'node:child_process';
import { scriptedHosts } from '@sluice/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBwrapSandbox } from '../../src/bwrap/bwrap-sandbox.ts';
import { type ScratchTree, scratchTree } from '../scratch-tree.ts';

// Usual way: packages/sandbox/src/bwrap/bwrap-sandbox.test.ts

const path = execFileSync('/bin/sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });
let scratch: ScratchTree;
beforeAll(async () => {
  scratch = await scratchTree();
});
afterAll(() => scratch[Symbol.asyncDispose]());

/** A sandbox whose registry has an address that is not public. */
function sandboxWithPrivateRegistry(refusalGraceMs: number) {
  const proxy = { refusalGraceMs, hosts: scriptedHosts(() => ['10.0.0.1']) };
  return createBwrapSandbox({ readPaths: [], path, hideRoots: [scratch.data], scratchRoot: scratch.data, proxy });
}

const allowHosts = ['registry.test'];

/** A program that asks a host, and then runs `after` with the status of the answer. */
const asking = (host: string, after: string) => `
  require('http').get({ host: '127.0.0.1', port: 3128, path: 'http://${host}/' }, (answer) => {
    answer.resume();
    ${after}
  });`;

/** A program that asks a host, waits, asks again, and then runs `after`. */
const askingTwice = (host: string, after: string) => asking(host, `setTimeout(() => { ${asking(host, after)} }, 700);`);

/** Asks again and again, as package managers do, and waits twice as long each time. */
const askingAgain = (host: string) => `
  (function ask(wait) {
    ${asking(host, 'setTimeout(() => ask(2 * wait), wait);')}
  })(700);`;

test('ends an install that only waits for a refused registry, and reports the host while it runs', async () => {
  const root = await scratch.tree('waiting');
  await scratch.write(root, 'install.cjs', askingAgain('registry.test'));
  const refused: string[] = [];
  const result = await sandboxWithPrivateRegistry(500).run(
    scratch.command(root, 'node install.cjs', { allowHosts, onRefused: (what) => refused.push(what) }),
  );
  expect(refused).toEqual(['registry.test: 10.0.0.1 is not a public address (a mirror of yours: ALLOW_PRIVATE_HOSTS)']);
  expect(result).toMatchObject({ exitCode: null, endedBy: 'refused' });
  expect(result.output).toContain('[sluice refused registry.test: 10.0.0.1 is not a public address');
});

test('lets a command finish that sleeps after a host was refused', async () => {
  const root = await scratch.tree('sleeping');
  await scratch.write(root, 'setup.cjs', asking('telemetry.example', "setTimeout(() => console.log('ready'), 2_000);"));
  const result = await sandboxWithPrivateRegistry(500).run(scratch.command(root, 'node setup.cjs', { allowHosts }));
  expect(result).toMatchObject({ exitCode: 0, endedBy: 'exit' });
  expect(result.output).toContain('ready');
});

test('lets a command finish that works on after a host was refused', async () => {
  const root = await scratch.tree('telemetry');
  // A program that reports to its maker, twice, and then compiles: no output and no connection, but use of the processor.
  const compile = `
    const end = process.cpuUsage().user + 1_500_000;
    (function work() {
      if (process.cpuUsage().user > end) return console.log('compiled after', answer.statusCode);
      for (let i = 0; i < 1e6; i += 1) Math.sqrt(i);
      setImmediate(work);
    })();`;
  const program = askingTwice('telemetry.example', compile);
  await scratch.write(root, 'program.cjs', program);
  const result = await sandboxWithPrivateRegistry(700).run(scratch.command(root, 'node program.cjs', { allowHosts }));
  expect(result).toMatchObject({ exitCode: 0, endedBy: 'exit' });
  expect(result.output).toContain('compiled after 403');
});
