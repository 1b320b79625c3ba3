import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
let folder: string;
const children: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice serve '));
});

afterEach(async () => {
  for (const { child, ended } of children.splice(0)) {
    child.kill('SIGKILL');
    await ended; // until then it writes to the folder
  }
  rmSync(folder, { recursive: true });
});

const serve = (...args: string[]) => serveWith({}, ...args);

function serveWith(environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const served = {
    child,
    ended: once(child, 'exit') as Promise<[number | null, string | null]>,
    stderr: text(child.stderr),
  };
  children.push(served);
  return served;
}

async function listening({ child, ended, stderr }: ReturnType<typeof serve>): Promise<URL> {
  const line = once(child.stdout.setEncoding('utf8'), 'data') as Promise<[string]>;
  const gone = ended.then(async () =>
    Promise.reject(new Error(`the server ended before it listened: ${await stderr}`)),
  );
  return new URL(/^Sluice listens on (\S+)\n$/.exec((await Promise.race([line, gone]))[0])?.[1] ?? 'none');
}

it.each(['SIGTERM', 'SIGINT'] as const)('prints its URL, answers there, and ends with 0 on %s', async (signal) => {
  const server = serve('--port', '0');
  const url = await listening(server);
  expect((await fetch(new URL('/api/health/live', url))).status).toBe(200);
  server.child.kill(signal);
  expect(await server.ended).toEqual([0, null]);
});

it('tells a person what to do next, and logs JSON for programs only', async () => {
  const person = serveWith({ LOG_FORMAT: 'text' }, '--port', '0', '--data-dir', join(folder, 'person'));
  const { origin } = await listening(person);
  person.child.kill('SIGTERM');
  await person.ended;
  const told = await person.stderr;
  expect(told).toMatch(new RegExp(`^  make an account +sluice login --url ${origin} --register$`, 'm'));
  // The second in a checkout whose console was not built.
  expect(told).toMatch(new RegExp(`^  (open in a browser +${origin}|read and try the API +${origin}/api/docs)$`, 'm'));
  expect(told).toMatch(/^\d\d:\d\d:\d\d stopped$/m);
  expect(told).not.toMatch(/^\{/m);

  const program = serve('--port', '0', '--data-dir', join(folder, 'program'));
  await listening(program);
  program.child.kill('SIGTERM');
  await program.ended;
  const lines = (await program.stderr).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: expect.stringMatching(/^listening on http/) }),
  );
});

/** The only line that a refused start prints. */
async function refusal(...args: string[]): Promise<string> {
  const { ended, stderr } = serve(...args);
  expect(await ended).toEqual([1, null]);
  const [sentence = '', ...rest] = (await stderr).split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect(rest, rest.join()).toEqual([]);
  return sentence;
}

it('reports in one line that its port is taken', async () => {
  const { port } = await listening(serve('--port', '0'));
  expect(await refusal('--port', port, '--data-dir', join(folder, 'other'))).toBe(
    `sluice: Port ${port} is in use by another program: stop that program, or set PORT to another port (0 picks a free one).`,
  );
});

it('reports in one line that its data folder is in use', async () => {
  await listening(serve('--port', '0'));
  expect(await refusal('--port', '0')).toMatch(/^sluice: Another Sluice process uses this data folder: stop it/);
});

it('reports in one line that its data folder cannot be created', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(await refusal('--data-dir', 'file')).toMatch(
    /^sluice: The data folder cannot be created \(EEXIST\): set DATA_DIR/,
  );
});

it('reports in one line that its secrets are damaged', async () => {
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'secrets.json'), '{');
  expect(await refusal('--port', '0')).toMatch(/^sluice: secrets\.json in the data folder is damaged: restore it/);
});
