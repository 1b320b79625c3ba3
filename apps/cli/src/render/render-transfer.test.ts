import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderMove, renderMoveSecrets, whatComesNext } from './render-transfer.ts';

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

it('lines the tables up', () => {
  expect(renderMove(report, withoutColour).split('\n')).toEqual([
    'table             rows  hash, the same on both sides',
    'users                2  aaaaaaaaaaaaaaaa',
    'journal_entries  12345  bbbbbbbbbbbbbbbb',
  ]);
});

it('writes secrets as an environment file takes them, and leaves out what there is none of', () => {
  expect(renderMoveSecrets(report)).toBe(
    'SESSION_SECRET="with \\"quotes\\" and \\$1"\nENCRYPTION_KEYS=1:AAA+/=,2:BBB=',
  );
  expect(renderMoveSecrets({ ...report, secrets: [{ variable: 'SESSION_SECRET', from: null, value: null }] })).toBe('');
});

it('says where each secret is, and never what it is', () => {
  const said = whatComesNext(report);
  expect(said).toMatch(/SESSION_SECRET {3}as it is set now\n {2}ENCRYPTION_KEYS {2}in \/data\/secrets.json/);
  expect(said).not.toMatch(/quotes|AAA/);
});
