import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { promptHash } from '../src/agent/prompt-hash.ts';

const ownRoot = fileURLToPath(new URL('../../../', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'sluice-prompts-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const told = [
  'packages/agents/src/roles/coder.md',
  'packages/agents/src/tools/read-file.ts',
  'packages/agents/src/loop/new-objections.ts',
  'packages/agents/src/review/shorten-diff.ts',
  'packages/agents/src/models/lean-schema.ts',
  'packages/worker/src/stages/environment/render-environment.ts',
  'packages/worker/src/stages/test-feedback.ts',
  'packages/worker/src/agent/run-agent.ts',
  'packages/code-search/src/lexical/syntax/syntax-faults.ts',
  'packages/core/src/pipeline/planner-output.ts',
  'packages/core/src/change/finding.ts',
  'packages/test-integrity/src/change-findings.ts',
];
const others = ['packages/agents/src/roles/requests.test.ts', 'packages/agents/src/tools/test/x.ts'];

it('changes with each source of what a model is told, and not with tests', () => {
  for (const file of told) cpSync(join(ownRoot, file), join(root, file), { recursive: true });
  const before = promptHash(root);
  const hashes = told.map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(join(root, file), `${text}\n`);
    const hash = promptHash(root);
    writeFileSync(join(root, file), text);
    return hash;
  });
  expect(new Set([before, ...hashes]).size).toBe(told.length + 1);
  for (const file of others) cpSync(join(root, told[0] ?? ''), join(root, file), { recursive: true });
  expect(promptHash(root)).toBe(before);
});

it('says so where a folder of sources is gone, instead of hashing less', () => {
  rmSync(join(root, dirname('packages/core/src/change/finding.ts')), { recursive: true });
  expect(() => promptHash(root)).toThrow('core/src/change holds no sources');
});
