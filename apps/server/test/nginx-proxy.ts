import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@sluice/testing';

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url));

export interface NginxProxy extends AsyncDisposable {
  readonly url: string;
}

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0;
}

/** nginx before a service of this machine, by the file of compose.yaml with other addresses and folders in it. */
export async function startNginx(service: string): Promise<NginxProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
  const port = await freePort();
  const text = readFileSync(join(deploy, 'nginx.conf'), 'utf8')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('http://api:3000', service)
    .replaceAll(' /tmp/', ` ${folder}/`)
    .replace('/dev/stdout', `${folder}/access.log`)
    .replace('/dev/stderr', `${folder}/error.log`);
  return await serve({ folder, text, url: `http://127.0.0.1:${port}`, answersAt: '/api/health/live' });
}

export interface NginxSite extends NginxProxy {
  /** The same without TLS. */
  readonly plainUrl: string;
  /** Whom to trust: the certificate was made for this run. */
  readonly certificate: string;
  /** What nginx has logged of requests. */
  readonly log: () => string;
}

/** nginx with TLS, by the file that docs/behind-nginx.md shows, in the surroundings that a distribution gives it. */
export async function startNginxSite(service: string): Promise<NginxSite> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
  const [plain, secure] = [await freePort(), await freePort()];
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') };
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const named = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...made, ...named, '-keyout', files.key, '-out', files.certificate], { stdio: 'ignore' });
  const site = readFileSync(join(deploy, 'nginx-site.conf'), 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ', `listen 127.0.0.1:${secure} `)
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replace('server 127.0.0.1:3000', `server ${new URL(service).host}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${files.certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${files.key};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const text = `pid ${folder}/nginx.pid; events {} http { access_log off; ${temporary.join(' ')}\n${site}\n}`;
  const plainUrl = `http://127.0.0.1:${plain}`;
  const proxy = await serve({ folder, text, url: `https://127.0.0.1:${secure}`, answersAt: plainUrl });
  const log = () => readFileSync(join(folder, 'sluice.log'), 'utf8');
  return { ...proxy, plainUrl, certificate: readFileSync(files.certificate, 'utf8'), log };
}

/** @param how `answersAt`: an address, or a path below `url`, where anything answers as soon as nginx does */
async function serve(how: { folder: string; text: string; url: string; answersAt: string }): Promise<NginxProxy> {
  const { folder, text, url, answersAt } = how;
  const file = join(folder, 'nginx.conf');
  // Its workers drop from root to an unprivileged user, which has to reach the folder.
  writeFileSync(file, process.getuid?.() === 0 ? `user root;\n${text}` : text);
  const child = spawn('nginx', ['-c', file, '-e', `${folder}/error.log`, '-g', 'daemon off;'], { stdio: 'inherit' });
  while (!(await answers(new URL(answersAt, url)))) {
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

async function answers(url: URL): Promise<boolean> {
  return await fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );
}
