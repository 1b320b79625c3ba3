import { SluiceError } from '@sluice/client';
import { expect, it } from 'vitest';
import { isTransient } from './is-transient.ts';

function failed(status: number | null): SluiceError {
  return new SluiceError({ code: 'x', status, detail: '', errors: [], retryAfterMs: null, requestId: null, body: {} });
}

it.each([null, 429, 500, 502, 503])('takes a call that failed with %s for transient', (status) => {
  expect(isTransient(failed(status))).toBe(true);
});

it.each([400, 401, 403, 404, 409])('takes a refusal with %s for final', (status) => {
  expect(isTransient(failed(status))).toBe(false);
});

it('takes a fault of the console for final', () => {
  expect(isTransient(new TypeError("Cannot read properties of undefined (reading 'seq')"))).toBe(false);
});
