import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StartError } from '../process/start-error.ts';
import { loadSecrets } from './secrets.ts';

let dataDir: string;
const generated = () => ({ dataDir, sessionSecret: null, encryptionKeys: null });

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sluice secrets '));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

it('generates secrets at the first start, readable only by its user, and loads them later', () => {
  const made = loadSecrets(generated());
  expect(made.sessionSecret.length).toBeGreaterThanOrEqual(32);
  expect(made.encryptionKeys.map(({ key }) => key.length)).toEqual([32]);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(loadSecrets(generated())).toEqual(made);
  expect(readdirSync(dataDir)).toEqual(['secrets.json']);
});

it('makes different secrets for every installation', () => {
  const first = loadSecrets(generated());
  rmSync(join(dataDir, 'secrets.json'));
  expect(loadSecrets(generated()).sessionSecret).not.toBe(first.sessionSecret);
});

it('uses configured secrets and generates only the others', () => {
  const sessionSecret = 's'.repeat(32);
  const encryptionKeys = [{ id: 'a', key: Buffer.alloc(32) }];
  expect(loadSecrets({ dataDir, sessionSecret, encryptionKeys })).toEqual({ sessionSecret, encryptionKeys });
  expect(readdirSync(dataDir)).toEqual([]);
  const half = loadSecrets({ dataDir, sessionSecret, encryptionKeys: null });
  expect(half.sessionSecret).toBe(sessionSecret);
  expect(half.encryptionKeys).toEqual(loadSecrets(generated()).encryptionKeys);
});

it.each([
  ['empty', ''],
  ['cut off', '{"session_secret": "x'],
  ['of another form', '[]'],
  ['without a key', JSON.stringify({ session_secret: 's'.repeat(32), encryption_keys: [] })],
  [
    'with a key of a wrong length',
    JSON.stringify({ session_secret: 's'.repeat(32), encryption_keys: [{ id: '1', key: 'c2hvcnQ=' }] }),
  ],
])('refuses a file that is %s, with the fix, and does not change it', (_title, content) => {
  writeFileSync(join(dataDir, 'secrets.json'), content);
  expect(() => loadSecrets(generated())).toThrow(StartError);
  expect(() => loadSecrets(generated())).toThrow(/damaged: restore it from a backup, or set SESSION_SECRET/);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(content);
});

/** Loads the secrets in a separate process as soon as it reads a line. */
function loadElsewhere(prelude = '') {
  const program = `
    ${prelude}
    const { loadSecrets } = await import(${JSON.stringify(new URL('./secrets.ts', import.meta.url).href)});
    process.stdout.write('ready\\n');
    for await (const _ of process.stdin) break;
    process.stdout.write(JSON.stringify(loadSecrets({ dataDir: ${JSON.stringify(dataDir)}, sessionSecret: null, encryptionKeys: null })));
    process.exit(0);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  return child;
}

it('gives concurrent processes the same secrets', async () => {
  const children = Array.from({ length: 4 }, () => loadElsewhere());
  const outputs = children.map((child) => once(child.stdout, 'data').then(() => child));
  const ready = await Promise.all(outputs);
  for (const child of ready) child.stdin.write('go\n');
  const answers = await Promise.all(ready.map((child) => text(child.stdout)));
  expect(new Set(answers).size).toBe(1);
  expect(JSON.parse(answers[0] ?? '')).toEqual(JSON.parse(JSON.stringify(loadSecrets(generated()))));
  expect(readdirSync(dataDir)).toEqual(['secrets.json']);
});

// Every call that makes the file kills the process, once before it and once after it.
const steps = ['writeFileSync', 'linkSync', 'fsyncSync', 'unlinkSync'];
const moments = steps.flatMap((step) => [`before ${step}`, `after ${step}`]);

it.each(moments)('leaves no partial file when it is killed %s', async (moment) => {
  const [when, step = ''] = moment.split(' ');
  const child = loadElsewhere(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const real = fs.${step};
    const die = () => { process.kill(process.pid, 'SIGKILL'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };
    fs.${step} = (...args) => { ${when === 'before' ? 'die(); return real(...args);' : 'real(...args); die();'} };
    syncBuiltinESMExports();`);
  await once(child.stdout, 'data');
  child.stdin.write('go\n');
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  const made = loadSecrets(generated());
  expect(loadSecrets(generated())).toEqual(made);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});
