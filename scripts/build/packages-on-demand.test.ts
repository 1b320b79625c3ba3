import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packagesOnDemand } from './packages-on-demand.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'on-demand-'));
  mkdirSync(join(root, 'packages/one/src'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (code: string) => writeFileSync(join(root, 'packages/one/src/a.ts'), code);

it.each([
  "export { embedMany } from 'ai';",
  "export * from 'ai';",
  "const ai = await import('ai');",
  "import * as ai from 'ai';",
  "import ai, {\n  embedMany,\n} from 'ai';",
])('refuses what a package on demand cannot be loaded for: %j', (code) => {
  write(code);
  expect(() => packagesOnDemand(root)).toThrow(/packages\/one\/src\/a\.ts .*ai/);
});

it.each([
  "import { embedMany } from 'ai';",
  "import {\n  embedMany,\n  streamText,\n} from 'ai';",
  "import pg from 'pg';",
  "import pg, { Pool } from 'pg';",
  "export type { ModelMessage } from 'ai';",
  "export { sep } from 'node:path';",
  "const path = await import('node:path');",
])('takes %j', (code) => {
  write(code);
  expect(packagesOnDemand(root).name).toBe('packages-on-demand');
});
