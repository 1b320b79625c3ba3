import { describe, expect, it } from 'vitest';
import { clientName } from './client-name.ts';

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('the name of a client', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/142.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome.replace('Chrome', 'HeadlessChrome')}`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Linux; Android 16) ${chrome}`, 'Chrome on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['node', 'node'],
    [`${'x'.repeat(100)}/1.0 (Ada's laptop)`, 'x'.repeat(30)],
    ['<script>', null],
    ['', null],
    [undefined, null],
  ])('is taken from %s', (header, name) => {
    expect(clientName(header)).toBe(name);
  });
});
