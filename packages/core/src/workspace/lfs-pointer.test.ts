import { describe, expect, it } from 'vitest';
import { isLfsPointer } from './lfs-pointer.ts';

const OID = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${OID}\nsize 12345\n`;
const EXTENDED = POINTER.replace('oid', `ext-0-foo sha256:${OID}\next-1-b.a-r sha256:${OID}\noid`);

describe('a pointer of Git LFS', () => {
  it.each<[string, string]>([
    ['the form that tools write', POINTER],
    ['the version of pre-releases', POINTER.replace('git-lfs', 'hawser')],
    ['extensions in order', EXTENDED],
    ['an empty file, which is its own pointer', ''],
    ['the largest size that tools read', POINTER.replace('12345', '9223372036854775807')],
  ])('is %s', (_, text) => {
    expect(isLfsPointer(Buffer.from(text))).toBe(true);
  });

  it.each<[string, string]>([
    ['raw content', 'from,to,rate\nEUR,USD,1.1\n'],
    ['CRLF', POINTER.replaceAll('\n', '\r\n')],
    ['no line feed at the end', POINTER.trimEnd()],
    ['a line more', `${POINTER}\n`],
    ['content behind it', `${POINTER}EUR,USD,1.1\n`],
    ['a byte order mark', `\ufeff${POINTER}`],
    ['another version', POINTER.replace('spec/v1', 'spec/v2')],
    ['a version in capitals', POINTER.replace('https', 'HTTPS')],
    ['another hash', POINTER.replace('sha256', 'sha1')],
    ['a hash that is too short', POINTER.replace(OID, OID.slice(1))],
    ['a hash in capitals', POINTER.replace(OID, OID.toUpperCase())],
    ['a size of 0, as an empty file is its own pointer', POINTER.replace('12345', '0')],
    ['a size with a leading zero', POINTER.replace('12345', '012345')],
    ['a negative size', POINTER.replace('12345', '-1')],
    ['a size that no tool reads', POINTER.replace('12345', '9'.repeat(20))],
    ['two spaces', POINTER.replace('oid ', 'oid  ')],
    ['a space at the end of a line', POINTER.replace('12345', '12345 ')],
    ['keys out of order', POINTER.replace(/(oid.*\n)(size.*\n)/, '$2$1')],
    ['extensions out of order', EXTENDED.replace('ext-0', 'ext-2')],
    ['one extension twice', EXTENDED.replace('ext-1-b.a-r', 'ext-0-foo')],
    ['an unknown key', POINTER.replace('oid', 'note hello\noid')],
    ['no size', POINTER.replace(/size.*\n/, '')],
    ['no hash', POINTER.replace(/oid.*\n/, '')],
    ['the version alone', POINTER.split('\n')[0] ?? ''],
    ['1,024 bytes', EXTENDED.replace('foo', 'f'.repeat(1_024 - EXTENDED.length + 3))],
  ])('is not one with %s', (_, text) => {
    expect(isLfsPointer(Buffer.from(text))).toBe(false);
  });

  it('may have 1,023 bytes', () => {
    expect(isLfsPointer(Buffer.from(EXTENDED.replace('foo', 'f'.repeat(1_023 - EXTENDED.length + 3))))).toBe(true);
  });
});
