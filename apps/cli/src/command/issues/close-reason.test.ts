import { closeReasons } from '@sluice/core/code-host';
import { expect, it } from 'vitest';
import { reasons } from './close-reason.ts';

it('offers the reasons that the server knows', () => {
  expect(reasons).toEqual(closeReasons);
});
