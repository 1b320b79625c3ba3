import { readFileSync } from 'node:fs';
import fc from 'fast-check';

const naughtyStrings: readonly string[] = JSON.parse(
  readFileSync(new URL('./fixtures/naughty-strings.json', import.meta.url), 'utf8'),
);

/** What the list lacks, because a text file cannot hold it or because it is about interfaces such as ours. */
const ours: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'a\0b',
  '\ud83d',
  '\ude80\ud83d',
  '\u202e\u2066',
  '0193A5B0-7C3E-7D4A-9F21-6B1F0C2D3E4F',
  '00000000-0000-0000-0000-000000000000',
  '-1',
  '9007199254740993',
  '99999999999999999999999999',
  '1e400',
  '0x10',
  '%00',
  '%',
  '%ff%fe',
  '..%2f..%2fetc%2fpasswd',
  '.',
  '..',
  '%2e%2E',
  '../auth/register',
  '..\\auth\\register',
  '..;/auth/register',
  ';id=1',
  '1#/run',
  '1?/run',
  '1/run',
  '1%2frun',
  '1%252frun',
  'import',
  '*',
  '"quoted", W/"weak"',
  'eyJhbGciOiJub25lIn0.e30.',
  'x'.repeat(300),
  'long '.repeat(2_000),
];

/** Texts that something or other has stumbled over. */
export const naughty = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...naughtyStrings), fc.constantFrom(...ours), fc.string({ unit: 'binary', maxLength: 20 }));

/** JSON of the wrong kind for any field. */
export const wrongValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    naughty(),
    fc.constantFrom<unknown>(null, true, 0, -1, 0.5, 1e308, 2 ** 53, -(2 ** 63), '', [], {}, [[]], [null], [{}]),
    fc.jsonValue({ maxDepth: 3 }),
  );

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** JSON texts that no serializer writes, and what is not JSON at all. */
export const naughtyJson = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      '',
      'null',
      '[]',
      '"text"',
      '1',
      '{',
      '{}{}',
      '{"a":1,}',
      "{'a':1}",
      '\ufeff{}',
      'NaN',
      '{"a":1e999}',
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"title":"a","title":"b","title":{"title":"c"}}',
      '{"\\u0000":1,"\\ud800":2}',
      `{"number":${'9'.repeat(400)}}`,
      nested(31, '{"a":', '}'),
      nested(40, '{"settings":', '}'),
      nested(5_000, '[', ']'),
      `{"a":${nested(20_000, '[', ']')}}`,
    ),
    naughty(),
  );
