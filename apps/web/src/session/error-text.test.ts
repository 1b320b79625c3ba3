import { SluiceError } from '@sluice/client';
import { expect, it } from 'vitest';
import { errorText, fieldErrors } from './error-text.ts';

function refusal(path: string, message: string): SluiceError {
  const rest = { status: 400, detail: message, retryAfterMs: null, requestId: null, body: {} };
  return new SluiceError({ code: 'validation_failed', errors: [{ path, message }], ...rest });
}

it.each([
  new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/assets/repos-page-x.js'),
  new TypeError('error loading dynamically imported module: http://127.0.0.1/assets/repos-page-x.js'),
  new TypeError('Importing a module script failed.'),
  new Error('Unable to preload CSS for http://127.0.0.1/assets/repos-page-x.css'),
])('says what became of a part of the console that does not load: %s', (error) => {
  expect(errorText(error)).toContain('could not be loaded');
  expect(errorText(error)).not.toContain('assets');
});

it('promises no second try of what the server did not answer: a decision is sent once', () => {
  const rest = { status: null, detail: 'x', errors: [], retryAfterMs: null, requestId: null, body: {} };
  expect(errorText(new SluiceError({ code: 'unreachable', ...rest }))).toBe(
    'The server cannot be reached. Check that it is running, then try again.',
  );
});

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

it('shows the characters of an error that hide or reorder its text', () => {
  expect(fieldErrors(refusal('name', 'must not be \u202eb'))).toEqual({ name: 'name must not be ⟨U+202E⟩b' });
  expect(errorText(refusal('name', 'The command\u200b failed.'))).toBe('The command⟨U+200B⟩ failed.');
  expect(errorText(new Error('\u202eb'))).toContain('⟨U+202E⟩b');
});

it('finds no field in another error', () => {
  expect(fieldErrors(new Error('x'))).toEqual({});
});
