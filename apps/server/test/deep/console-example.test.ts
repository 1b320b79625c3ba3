import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, until } from '@sluice/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../code-host-browser.ts';
import { signUp } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/console-in-browser.test.ts

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/console');
const installed = [
  ...['client', 'server', 'tanstack-react-query'].map((name) => `@trpc/${name}`),
  ...['@tanstack/react-query', '@types/react', '@types/react-dom', 'react', 'react-dom', 'typescript', 'vite'],
];

/** The example in a folder outside the repository, with the client as it is packed. */
async function installExample(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  for (const name of installed) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(EXAMPLE, 'node_modules', name)), link);
  }
  const client = join(folder, 'node_modules/@sluice/client');
  await run(process.execPath, [join(ROOT, 'scripts/build-client.ts'), '--out', client]);
  return folder;
}

/** Serves the built page, which passes `/api` on to Sluice. @returns what ends that, with all connections */
async function servePage(folder: string, at: { port: number; sluice: string }): Promise<() => Promise<void>> {
  const { port, sluice } = at;
  const args = ['node_modules/vite/bin/vite.js', 'preview', '--port', String(port), '--strictPort'];
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, SLUICE_URL: sluice },
    stdio: 'ignore',
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  };
  onTestFinished(stop);
  await until('the page is served', async () => {
    if (child.exitCode !== null) throw new Error(`vite preview ended with ${child.exitCode}.`);
    return await fetch(`http://localhost:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return stop;
}

it('takes an issue from login to its diff in a console that is built on the packed client', async () => {
  const folder = await installExample();
  const node = (...args: string[]) => run(process.execPath, args, { cwd: folder });
  await node('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.');
  await node('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error');

  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await using server = await startScratchServer({ CORS_ORIGINS: origin });
  const person = await signUp(server.url, 'ada@example.com');
  const { body: repo } = await person.call<{ id: string }>('POST', '/api/repos', { url: makeBuggyRepo().path });
  const stopPage = await servePage(folder, { port, sluice: server.url });

  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('not this passphrase');
  await page.getByRole('button', { name: 'Log in' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('password');
  await page.getByLabel('Password').fill('a long enough passphrase');
  await page.getByRole('button', { name: 'Log in' }).click();

  // The list hears of an issue that is created elsewhere.
  await page.getByRole('list').waitFor({ state: 'attached' });
  await person.call('POST', '/api/issues', { repo_id: repo.id, ...fixingIssue });
  await page.getByRole('button', { name: fixingIssue.title }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await stopPage(); // the page loses its event stream, and what it shows stays
  await servePage(folder, { port, sluice: server.url });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('status').getByText('completed').waitFor();
  expect(await page.locator('ol').first().textContent()).toMatch(/prepare ….*plan ….*publish …/s);
  await page.locator('pre').getByText('+++ b/').waitFor();

  // A session that is ended elsewhere sends its page back to the login at the next answer.
  const { body: sessions } = await person.call<{ items: { id: string; current: boolean }[] }>(
    'GET',
    '/api/auth/sessions',
  );
  for (const { id, current } of sessions.items) if (!current) await person.call('DELETE', `/api/auth/sessions/${id}`);
  await page.getByRole('button', { name: 'All issues' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
});
