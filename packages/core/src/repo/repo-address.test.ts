import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../error/app-error.ts';
import { parseRepoAddress, renamedAddress } from './repo-address.ts';

const canonical = (text: string) => {
  const address = parseRepoAddress(text);
  return address.kind === 'https' ? address.canonical : address.path;
};

describe('a repository address', () => {
  it('is read from an https URL, with the case of its path kept for git', () => {
    expect(parseRepoAddress('https://Example.COM/Owner/Name.git/')).toEqual({
      kind: 'https',
      url: 'https://example.com/Owner/Name.git',
      canonical: 'https://example.com/owner/name',
      name: 'Owner/Name',
      host: 'example.com',
    });
  });

  it.each([
    'https://example.com/owner/name',
    'https://example.com/owner/name/',
    'https://example.com/owner/name.git',
    'https://example.com/owner/name.GIT/',
    'HTTPS://EXAMPLE.com/Owner/NAME',
    'https://example.com:443/owner/name',
    'https://example.com./owner/name',
    'https://example.com//owner//name',
    'https://example.com/x/../owner/name',
    'https://example.com/owner/%6Eame',
    'https://example.com/owner/name?',
    ' https://example.com/owner/name\n',
  ])('is the same repository however it is spelled: %j', (text) => {
    expect(canonical(text)).toBe('https://example.com/owner/name');
  });

  it.each([
    ['https://example.com:8443/owner/name', 'https://example.com:8443/owner/name'],
    ['https://example.com.:8443/owner/name', 'https://example.com:8443/owner/name'],
    ['https://[::1]/owner/name', 'https://[::1]/owner/name'],
    ['https://[0:0:0:0:0:0:0:1]:8443/o/n', 'https://[::1]:8443/o/n'],
    ['https://0x7f000001/o/n', 'https://127.0.0.1/o/n'],
    ['https://BÜCHER.example/o/n', 'https://xn--bcher-kva.example/o/n'],
    ['https://example.com/owner%2Fname', 'https://example.com/owner%2fname'],
    ['https://example.com/group/sub/name', 'https://example.com/group/sub/name'],
    ['https://example.com/owner/.git', 'https://example.com/owner'],
  ])('of %j has the canonical form %j', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('has the host as a resolver needs it', () => {
    expect(parseRepoAddress('https://[::1]:8443/o/n')).toMatchObject({ host: '[::1]' });
    expect(parseRepoAddress('https://0x7f000001/o/n')).toMatchObject({ host: '127.0.0.1' });
  });

  it.each([
    ['/srv/repos/name', '/srv/repos/name', 'name'],
    ['/srv/repos/name///', '/srv/repos/name', 'name'],
    ['file:///srv/repos/name', '/srv/repos/name', 'name'],
    ['FILE://localhost/srv/a%20b', '/srv/a b', 'a b'],
  ])('is a path on this host: %j', (text, path, name) => {
    expect(parseRepoAddress(text)).toEqual({ kind: 'local', path, name });
  });

  it.each([
    ['', 'https://'],
    ['   ', 'https://'],
    ['https://example.com/o\t/n', 'https://'],
    ['https://example.com/o\u0000/n', 'https://'],
    [`https://example.com/${'x'.repeat(2_000)}`, 'https://'],
    ['owner/name', 'neither'],
    ['git@example.com:owner/name.git', 'neither'],
    ['--upload-pack=touch /tmp/x', 'neither'],
    ['https://exa mple.com/o/n', 'neither'],
    ['http://example.com/o/n', 'not supported'],
    ['ssh://git@example.com/o/n', 'not supported'],
    ['ext::sh -c id', 'not supported'],
    ['javascript:alert(1)', 'not supported'],
    ['https://user:secret@example.com/o/n', 'access_token'],
    ['https://token@example.com/o/n', 'access_token'],
    ['https://example.com/o/n?token=secret', 'query'],
    ['https://example.com/o/n#main', 'fragment'],
    ['https://example.com', 'no repository'],
    ['https://example.com/.git', 'no repository'],
    ['https://example.com/%zz/n', 'percent-encoding'],
    ['/', 'no repository'],
    ['file:///', 'no repository'],
    ['file://fileserver/srv/name', 'must not name a host'],
    ['file:///srv/name?x=1', 'query'],
    ['file:///srv/%zz', 'percent-encoding'],
    ['file:///srv/a%00b', 'control characters'],
    ['file:///srv/a%0Ab', 'control characters'],
  ])('is refused: %j', (text, reason) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ code: 'remote_refused', details: { errors: [{ path: 'url' }] } });
    expect(refusal?.message).toContain(reason);
    expect(refusal?.message).not.toContain('secret');
  });

  it('is read or refused, whatever text is given, and reading its own URL again changes nothing', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true, withFragments: true }));
    const prefix = fc.constantFrom('', '/', 'https://', 'https://example.com/', 'file://', 'file:///');
    fc.assert(
      fc.property(prefix, text, (start, rest) => {
        if (refusalOf(start + rest) !== null) return;
        const address = parseRepoAddress(start + rest);
        if (address.kind === 'https') expect(parseRepoAddress(address.url)).toEqual(address);
        if (address.kind === 'https')
          expect(canonical(address.canonical)).toBe(address.canonical.replace(/\.git$/, ''));
        else expect(address.path).toMatch(/^\//);
        expect(address.name).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 2_000 },
    );
  });
});

function refusalOf(text: string): AppError | null {
  try {
    parseRepoAddress(text);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe('the address of a repository that the code host has renamed', () => {
  it('has the new owner and name in the place of the old ones, and nothing else changed', () => {
    const at = (url: string, canonicalRemote: string) => ({ url, canonicalRemote });
    expect(renamedAddress(at('https://host.test/Ada/Engine', 'https://host.test/ada/engine'), 'Bob/New.js')).toEqual(
      at('https://host.test/Bob/New.js', 'https://host.test/bob/new.js'),
    );
    expect(renamedAddress(at('http://h:81/code/Ada/Engine/', 'http://h:81/code/ada/engine'), 'a/$&')).toEqual(
      at('http://h:81/code/a/$&', 'http://h:81/code/a/%24%26'),
    );
  });
});
