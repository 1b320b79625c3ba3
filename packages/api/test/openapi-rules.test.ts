import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { openApiDocument } from '../src/openapi/openapi-document.ts';
import { operationsOf } from './fuzz/operations.ts';

const document = openApiDocument();

it("keeps Redocly's recommended rules, examples and all", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-openapi-'));
  const ref = join(folder, 'openapi.json');
  await writeFile(ref, JSON.stringify(document));
  const problems = await lint({ ref, config: await createConfig({ extends: ['recommended'] }) });
  await rm(folder, { recursive: true });
  // Two operations answer by sending a browser elsewhere, and nothing is asked of the document that could be refused.
  const told = problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer]);
  expect(told).toEqual([
    ['operation-2xx-response', '#/paths/~1api~1auth~1codehost~1callback/get/responses'],
    ['operation-2xx-response', '#/paths/~1api~1auth~1codehost~1cli~1confirm~1{program}/post/responses'],
    ['operation-4xx-response', '#/paths/~1api~1openapi.json/get/responses'],
  ]);
});

it('shows an example of every body that is sent and of every one that is answered', () => {
  for (const { method, path, described } of operationsOf(document)) {
    const bodies = [described.requestBody, ...Object.values(described.responses)];
    for (const media of bodies.flatMap((one) => Object.entries(one?.content ?? {}))) {
      expect(media[1], `${method} ${path} ${media[0]}`).toHaveProperty('example');
    }
  }
});
