import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hosts, path, proxiedSandbox, startRegistry } from '../proxied-sandbox.ts';
import { type ScratchTree, scratchTree } from '../scratch-tree.ts';

// Usual way: packages/sandbox/src/proxy/allow-proxy.test.ts

let scratch: ScratchTree;
let registry: Awaited<ReturnType<typeof startRegistry>>;
const asked: string[] = [];

/** A registry with one package. */
beforeAll(async () => {
  scratch = await scratchTree();
  const source = join(scratch.data, 'package');
  await mkdir(source);
  await writeFile(join(source, 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0' }));
  await writeFile(join(source, 'index.js'), 'module.exports = "from the registry";\n');
  execFileSync('tar', ['-czf', join(scratch.data, 'tiny.tgz'), '-C', scratch.data, 'package']);
  const archive = await readFile(join(scratch.data, 'tiny.tgz'));
  registry = await startRegistry((request, answer) => {
    asked.push(`${request.headers.host} ${request.url}`);
    const dist = { tarball: `http://${request.headers.host}/tiny.tgz` };
    if (request.url === '/tiny.tgz') answer.end(archive);
    else
      answer.end(
        JSON.stringify({
          name: 'tiny',
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': { name: 'tiny', version: '1.0.0', dist } },
        }),
      );
  });
});
afterAll(async () => {
  registry[Symbol.dispose]();
  await scratch[Symbol.asyncDispose]();
});

test("installs a package through the proxy, and keeps the command's exit code", async () => {
  const root = await scratch.tree('install');
  await scratch.write(
    root,
    'package.json',
    JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { tiny: '1.0.0' } }),
  );
  await scratch.write(
    root,
    '.npmrc',
    `registry=http://registry.test:${registry.port}/\naudit=false\nfund=false\nupdate-notifier=false\n`,
  );
  const allowHosts = [`registry.test:${registry.port}`];
  const sandbox = proxiedSandbox(scratch, { allowPrivateHosts: allowHosts, hosts });
  const result = await sandbox.run(
    scratch.command(root, `npm install && node -e "console.log(require('tiny'))" && exit 6`, { allowHosts }),
  );
  expect(result.output).toContain('from the registry');
  expect(result).toMatchObject({ exitCode: 6, endedBy: 'exit' });
  expect(asked).toContain(`registry.test:${registry.port} /tiny`);
  const again = await sandbox.run(scratch.command(root, 'rm -rf node_modules && npm ci', { allowHosts }));
  expect(again.exitCode).toBe(0);
  const without = await sandbox.run(
    scratch.command(root, 'rm -rf node_modules; npm ci --fetch-retries=0', { allowHosts: [] }),
  );
  expect(without.exitCode).not.toBe(0);
});

const npm = (...args: string[]) => {
  try {
    return execFileSync('npm', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: path, HOME: process.env.HOME },
    }).trim();
  } catch {
    return '';
  }
};
const configured = npm('config', 'get', 'registry');
const reachable = configured !== '' && npm('ping', '--fetch-retries=0', '--fetch-timeout=5000', '--json') !== '';

test.skipIf(!reachable)("installs from this machine's registry, over TLS", async () => {
  const root = await scratch.tree('real');
  const { hostname, port: special } = new URL(configured);
  const host = special === '' ? hostname : `${hostname}:${special}`;
  const authorities = npm('config', 'get', 'cafile');
  const lines = [`registry=${configured}`, ...(authorities === 'null' ? [] : [`cafile=${authorities}`])];
  await scratch.write(root, '.npmrc', `${lines.join('\n')}\n`);
  await scratch.write(root, 'package.json', JSON.stringify({ name: 'app', version: '1.0.0' }));
  // A registry may be a mirror with a private address, which the operator has to allow.
  const sandbox = proxiedSandbox(scratch, { allowPrivateHosts: [host] });
  const command = scratch.command(root, 'npm install --no-audit --no-fund isarray && ls node_modules', {
    allowHosts: [host],
  });
  const result = await sandbox.run(command);
  expect(result.output).toContain('isarray');
  expect(result.exitCode).toBe(0);
});
