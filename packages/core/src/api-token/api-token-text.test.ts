import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashApiToken, hasTokenPrefix, isApiToken, renderApiToken } from './api-token-text.ts';

describe('the text of an API token', () => {
  it('has one length and one alphabet for any secret, and differs for each', () => {
    const secrets = [
      new Uint8Array(32),
      new Uint8Array(32).fill(255),
      ...Array.from({ length: 50 }, () => randomBytes(32)),
    ];
    const texts = secrets.map(renderApiToken);
    for (const text of texts) {
      expect(text).toMatch(/^slc_[0-9A-Za-z]{49}$/);
      expect([isApiToken(text), hasTokenPrefix(text)]).toEqual([true, true]);
    }
    expect(new Set(texts.map(hashApiToken)).size).toBe(secrets.length);
    expect(() => renderApiToken(new Uint8Array(31))).toThrow();
  });

  it('is recognized by its checksum: no other character will do', () => {
    const text = renderApiToken(randomBytes(32));
    for (let at = 4; at < text.length; at += 1) {
      const changed = `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`;
      expect(isApiToken(changed), changed).toBe(false);
    }
    for (const other of ['', 'slc_', text.slice(0, -1), `${text}a`, ` ${text}`, text.replace('slc_', 'SLC_')]) {
      expect(isApiToken(other), other).toBe(false);
    }
  });
});
