import { expect, it } from 'vitest';
import { stopsAtFailure } from './stops-at-failure.ts';

it.each([
  'pytest -x',
  'python3 -m pytest -qx tests',
  'pytest -xvs',
  'pytest --maxfail=2',
  'vitest run --bail 1',
  'jest --bail',
  'mocha -b test',
  'go test -failfast ./...',
  'bundle exec rspec --fail-fast',
  'vendor/bin/phpunit --stop-on-failure',
])('knows that the tests stop at a failure: %s', (command) => {
  expect(stopsAtFailure(command)).toBe(true);
});

it.each([
  'cargo test --no-fail-fast',
  'pnpm --recursive --no-bail test',
  'vitest run --bail=0',
  'jest --bail=false',
  'pytest -q tests/test_x.py',
  'pytest -rx',
  'pytest -rsx --tb=short',
  'npm test -- --exclude x',
  'mvn -B -fae test',
  'npx -b mocha',
])('knows that they do not: %s', (command) => {
  expect(stopsAtFailure(command)).toBe(false);
});
