import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

const run = promisify(execFile);
const GIT_TIMEOUT_MS = 30_000;

const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'invoice', version: '1.0.0', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': '# invoice\n\nAdds up the lines of an invoice. `npm test` runs the tests.\n',
  'src/invoice.js': `/** A line's price in cents, after its discount in percent. */
export function linePrice({ unitCents, quantity, discountPercent = 0 }) {
  const full = unitCents * quantity;
  return Math.round(full - discountPercent);
}

/** The total of all lines in cents. */
export function total(lines) {
  return lines.reduce((sum, line) => sum + linePrice(line), 0);
}
`,
  'test/invoice.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { linePrice, total } from '../src/invoice.js';

test('a line without a discount costs its full price', () => {
  assert.equal(linePrice({ unitCents: 1999, quantity: 3 }), 5997);
});

test('a discount takes its percentage off the line', () => {
  assert.equal(linePrice({ unitCents: 1000, quantity: 2, discountPercent: 10 }), 1800);
});

test('the total adds up all lines', () => {
  assert.equal(total([{ unitCents: 500, quantity: 2 }, { unitCents: 250, quantity: 4 }]), 2000);
});
`,
};

/** The issue of the demo: a bug report that spells out the edit. */
export const sampleIssue = {
  title: 'A 10 % discount takes off ten cents',
  body: `Two chairs at 10.00 with a 10 % discount should cost 18.00; the invoice says 19.90.
The discount is treated as cents instead of as a percentage.

in \`src/invoice.js\` replace \`full - discountPercent\` with \`full * (1 - discountPercent / 100)\`
`,
};

/** Creates a small repository with a real bug and a test that fails because of it. @returns its path */
export async function makeSampleRepo(folder: string): Promise<string> {
  const root = join(folder, 'invoice');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await git(root, ['init', '-q', '-b', 'main', '--template=']);
  await git(root, ['add', '.']);
  await git(root, ['commit', '-q', '-m', 'Add up an invoice']);
  return root;
}

async function git(root: string, args: readonly string[]): Promise<void> {
  const author = ['-c', 'user.name=Sluice demo', '-c', 'user.email=demo@localhost'];
  try {
    await run('git', [...author, ...args], { cwd: root, env: gitEnvironment(), timeout: GIT_TIMEOUT_MS });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const why = code === 'ENOENT' ? 'git is not installed' : stderr.trim() || 'it timed out';
    throw new CommandError(exitCode.unexpected, `Cannot create the sample repository: git ${args[0]} failed: ${why}.`);
  }
}
