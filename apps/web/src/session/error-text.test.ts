import { SluiceError } from '@sluice/client';
import { expect, it } from 'vitest';
import { fieldErrors } from './error-text.ts';

function refusal(path: string, message: string): SluiceError {
  const rest = { status: 400, detail: message, retryAfterMs: null, requestId: null, body: {} };
  return new SluiceError({ code: 'validation_failed', errors: [{ path, message }], ...rest });
}

it('names the field of a fault in words', () => {
  expect(fieldErrors(refusal('settings.label_trigger', 'must not be empty'))).toEqual({
    'settings.label_trigger': 'label trigger must not be empty',
  });
});

it('leaves a fault that is a sentence as it is', () => {
  expect(fieldErrors(refusal('default_branch', 'The repository has no branch "x".'))).toEqual({
    default_branch: 'The repository has no branch "x".',
  });
});

it('finds no field in another error', () => {
  expect(fieldErrors(new Error('x'))).toEqual({});
});
