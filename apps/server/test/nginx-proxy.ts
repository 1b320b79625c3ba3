import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const config = fileURLToPath(new URL('../../../deploy/nginx.conf', import.meta.url));

export interface NginxProxy extends AsyncDisposable {
  readonly url: string;
}

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0;
}

/** nginx before a service of this machine, by the file that is deployed with other addresses and folders in it. */
export async function startNginx(service: string): Promise<NginxProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  const text = readFileSync(config, 'utf8')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('http://api:3000', service)
    .replaceAll(' /tmp/', ` ${folder}/`)
    .replace('/dev/stdout', `${folder}/access.log`)
    .replace('/dev/stderr', `${folder}/error.log`);
  // Its workers drop from root to nobody, who has to reach the folder.
  writeFileSync(file, process.getuid?.() === 0 ? `user root;\n${text}` : text);
  const child = spawn('nginx', ['-c', file, '-e', `${folder}/error.log`, '-g', 'daemon off;'], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(readFileSync(`${folder}/error.log`, 'utf8'));
    await pause(20);
  }
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return await fetch(`${url}/api/health/live`).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
