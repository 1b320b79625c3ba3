import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bodyOf, queryOf, rawField, typedField } from './request-fields.ts';

it('reads strings with -f, and JSON words, integers and files with -F', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice fields '));
  const file = join(folder, 'text');
  writeFileSync(file, 'from a file');
  try {
    expect(rawField('a=true=x')).toEqual({ key: 'a', value: 'true=x' });
    const typed = ['a=true', 'b=-3', 'c=null', 'd=1.5', 'e=', `f=@${file}`].map((one) => typedField(one));
    expect((await Promise.all(typed)).map(({ value }) => value)).toEqual([true, -3, null, '1.5', '', 'from a file']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('builds members of members, and lists', () => {
  const body = bodyOf(['a=1', 'settings[auto_run]=x', 'settings[label]=y', 'labels[]=p', 'labels[]=q'].map(rawField));
  expect(JSON.parse(JSON.stringify(body))).toEqual({
    a: '1',
    settings: { auto_run: 'x', label: 'y' },
    labels: ['p', 'q'],
  });
  expect(queryOf(['status[]=failed', 'status[]=running', 'q=a b'].map(rawField)).toString()).toBe(
    'status=failed&status=running&q=a+b',
  );
});

it('refuses what has no key, and sets no prototype', () => {
  expect(() => rawField('=x')).toThrow('must have the form key=value');
  expect(() => bodyOf([rawField('a[b=x')])).toThrow('is not a key');
  expect(bodyOf([rawField('__proto__[polluted]=x')]).polluted).toBeUndefined();
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});
