import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderNextSteps, renderTransfer, renderTransferSecrets } from './render-transfer.ts';

const report = {
  data_dir: '/data',
  already_there: false,
  tables: [
    { name: 'users', rows: 2, hash: 'a'.repeat(64) },
    { name: 'journal_entries', rows: 12_345, hash: 'b'.repeat(64) },
  ],
  secrets: [
    { variable: 'SESSION_SECRET', from: 'environment', value: 'with "quotes" and $1' },
    { variable: 'ENCRYPTION_KEYS', from: 'secrets.json', value: '1:AAA+/=,2:BBB=' },
  ],
} as const;

it('aligns the tables', () => {
  expect(renderTransfer(report, withoutColour).split('\n')).toEqual([
    'table             rows  hash, equal on both sides',
    'users                2  aaaaaaaaaaaaaaaa',
    'journal_entries  12345  bbbbbbbbbbbbbbbb',
  ]);
});

it('writes secrets as an environment file, and leaves out those that are not set', () => {
  expect(renderTransferSecrets(report)).toBe(
    'SESSION_SECRET="with \\"quotes\\" and \\$1"\nENCRYPTION_KEYS=1:AAA+/=,2:BBB=',
  );
  expect(renderTransferSecrets({ ...report, secrets: [{ variable: 'SESSION_SECRET', from: null, value: null }] })).toBe(
    '',
  );
});

it('names the place of each secret, never its value', () => {
  const text = renderNextSteps(report);
  expect(text).toMatch(
    /SESSION_SECRET {3}as currently set in the environment\n {2}ENCRYPTION_KEYS {2}in \/data\/secrets.json/,
  );
  expect(text).not.toMatch(/quotes|AAA/);
});
