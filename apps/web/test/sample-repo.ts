import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const discountFiles: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'invoice', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': '# invoice\n\nAdds up the lines of an invoice. `npm test` runs the tests.\n',
  'src/invoice.js': `/** The price of a line in cents, after its discount in percent. */
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

/** Creates a repository with one commit in a new folder below `folder`. @returns its path, whose last part is `name` */
export function makeSampleRepo(
  folder: string,
  name = 'invoice',
  files: Readonly<Record<string, string>> = discountFiles,
): string {
  mkdirSync(folder, { recursive: true });
  const root = join(mkdtempSync(join(folder, 'repo-')), name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  git(root, 'init', '-q', '-b', 'main', '--template=');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'Add up an invoice');
  return root;
}

function git(root: string, ...args: readonly string[]): void {
  const author = ['-c', 'user.name=Sluice', '-c', 'user.email=sluice@example.com'];
  execFileSync('git', [...author, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
}
