import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostedName } from '../repo/hosted-name.ts';
import { hostedNameAt, parseHostedName } from './hosted-name.ts';

describe('the name of a repository at the code host', () => {
  it.each([
    ['https://github.com', 'https://github.com/ada/engine'],
    ['https://github.com', 'https://github.com/ada/engine.git'],
    ['https://github.com', 'https://github.com/ada/engine.GIT///'],
    ['https://github.com/', 'https://GitHub.com:443//ada//engine/'],
    ['https://github.com.', 'https://github.com/ada/%65ngine'],
    ['https://ghe.example:8443', 'https://ghe.example:8443/ada/engine'],
    ['https://ghe.example/forge', 'https://ghe.example/forge/ada/engine.git'],
    ['https://ghe.example/Forge/', 'https://ghe.example/forge/ada/engine'],
    ['https://ghe.example/a/b/c', 'https://ghe.example/a/b/c/ada/engine'],
    ['https://ghe.example/my%20forge', 'https://ghe.example/my%20forge/ada/engine'],
    ['https://[2001:db8::1]/forge', 'https://[2001:DB8::1]/forge/ada/engine'],
    ['http://127.0.0.1:4650', 'http://127.0.0.1:4650/x/../ada/engine'],
  ])('below %j is what follows that address in %j', (web, url) => {
    expect(hostedNameAt(web, url)).toBe('ada/engine');
  });

  it.each([
    ['https://gitlab.example', 'https://gitlab.example/group/sub/project.git'],
    ['https://gitlab.example', 'https://gitlab.example/group/sub/subsub/project'],
    ['https://gitlab.example', 'https://gitlab.example/group/-/project'],
    ['https://gitlab.example', 'https://gitlab.example/project'],
    ['https://gitlab.example', 'https://gitlab.example/project/.git'],
    ['https://gitlab.example', 'https://gitlab.example/'],
    ['https://gitlab.example', 'https://gitlab.example/group%2Fsub/project'],
    ['https://gitlab.example', 'https://gitlab.example/group/sub%2fproject'],
    ['https://gitlab.example', 'https://gitlab.example/group/%zz'],
    ['https://ghe.example/forge', 'https://ghe.example/forge/group/sub/project'],
    ['https://ghe.example/forge', 'https://ghe.example/forge/project'],
    ['https://ghe.example/forge', 'https://ghe.example/ada/engine'],
    ['https://ghe.example/forge', 'https://ghe.example/forge2/ada/engine'],
    ['https://ghe.example', 'https://ghe.example/forge/ada/engine'],
    ['https://ghe.example', 'https://ghe.example:8443/ada/engine'],
    ['https://ghe.example', 'http://ghe.example/ada/engine'],
    ['https://ghe.example', 'https://other.example/ada/engine'],
    ['https://ghe.example', '/srv/git/ada/engine'],
  ])('below %j does not exist for %j', (web, url) => {
    expect(hostedNameAt(web, url)).toBeNull();
    expect(() => hostedName({ url: web }, { provider: 'codehost', url })).toThrow(
      expect.objectContaining({ code: 'repo_nested_group' }),
    );
  });

  it('is the one of the address that a host makes of it, below any path', () => {
    const part = fc.stringMatching(/^[\w-][\w.-]{0,20}$/).filter((text) => !text.toLowerCase().endsWith('.git'));
    const parts = fc.record({
      ...{ path: fc.array(part, { maxLength: 3 }), group: fc.array(part, { maxLength: 2 }) },
      ...{ owner: part, name: part },
    });
    fc.assert(
      fc.property(parts, ({ path, group, owner, name }) => {
        const web = ['https://ghe.example', ...path].join('/');
        const expected = group.length === 0 ? `${owner}/${name}` : null;
        expect(hostedNameAt(web, [web, ...group, owner, name].join('/'))).toBe(expected);
      }),
    );
  });

  it('is none of a repository that was registered by its URL', () => {
    const repo = { provider: 'git', url: 'https://github.com/ada/engine' } as const;
    expect(() => hostedName({ url: 'https://github.com' }, repo)).toThrow(
      expect.objectContaining({ code: 'repo_not_hosted' }),
    );
  });

  it('is read from exactly two parts', () => {
    expect(parseHostedName('Ada/engine.js')).toBe('Ada/engine.js');
    for (const text of ['group/sub/project', 'a/b/c/d', 'project', '/project', 'group/', 'a//b', '']) {
      expect(() => parseHostedName(text), text).toThrow(expect.objectContaining({ code: 'repo_nested_group' }));
    }
  });
});
