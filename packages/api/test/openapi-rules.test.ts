import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { isSoakRun } from '@sluice/testing';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../src/openapi/openapi-document.ts';
import { operationsOf } from './fuzz/operations.ts';

const document = openApiDocument();

/** Each response of an error writes these out with its own codes; by their names programs take an error of any operation. */
const onlyNamed = ['Error', 'Problem'];

describe('the OpenAPI document', () => {
  it("keeps Redocly's recommended rules, examples and all", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-openapi-'));
    const ref = join(folder, 'openapi.json');
    await writeFile(ref, JSON.stringify(document));
    const problems = await lint({ ref, config: await createConfig({ extends: ['recommended'] }) });
    await rm(folder, { recursive: true });
    // Four operations answer by sending a browser elsewhere, and two schemas are there for programs to name (see below).
    expect(problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer])).toEqual([
      ['operation-2xx-response', '#/paths/~1api~1auth~1codehost~1callback/get/responses'],
      ['operation-2xx-response', '#/paths/~1api~1auth~1codehost~1cli~1confirm~1{program}/post/responses'],
      ['operation-2xx-response', '#/paths/~1api~1auth~1oidc~1{provider}~1callback/get/responses'],
      ['operation-2xx-response', '#/paths/~1api~1auth~1oidc~1{provider}~1cli~1confirm~1{program}/post/responses'],
      ...onlyNamed.map((name) => ['no-unused-components', `#/components/schemas/${name}`]),
    ]);
  });

  it("keeps Spectral's rules for OpenAPI", async () => {
    const spectral = new Spectral();
    // Redocly has compared the examples with their schemas; doing it again takes most of ten seconds.
    const examples = isSoakRun ? {} : ({ 'oas3-valid-media-example': 'off' } as const);
    // It knows scopes of OAuth alone: OpenAPI 3.1 lets other schemes name roles, as bearer tokens do here.
    const rules = { ...examples, 'oas3-operation-security-defined': 'off' } as const;
    spectral.setRuleset({ extends: [oas as RulesetDefinition], rules });
    const problems = await spectral.run(JSON.stringify(document));
    expect(problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`)).toEqual(
      onlyNamed.map(
        (name) => `oas3-unused-component: Potentially unused component has been detected. (components.schemas.${name})`,
      ),
    );
  });

  it('begins no description with a word that leaves its subject to be guessed', () => {
    const described: string[] = [];
    JSON.stringify(document, (name, value: unknown) => {
      if ((name === 'description' || name === 'summary') && typeof value === 'string') described.push(value);
      return value;
    });
    expect(described).toContain('Restricts the answer to one repository.');
    expect(described.filter((text) => /^(Of|That|Those|As)\b/.test(text))).toEqual([]);
  });

  it('shows an example of every body that is sent and of every one that is answered', () => {
    for (const { method, path, described } of operationsOf(document)) {
      const bodies = [described.requestBody, ...Object.values(described.responses)];
      for (const media of bodies.flatMap((one) => Object.entries(one?.content ?? {}))) {
        if (media[0] === 'application/problem+json') continue; // that of JSON, with a few members more
        if (media[1].schema?.format === 'binary') continue; // any bytes of that type
        expect(media[1], `${method} ${path} ${media[0]}`).toHaveProperty('example');
      }
    }
  });
});
