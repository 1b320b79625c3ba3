import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { parseConfig } from './parse-config.ts';
import { printConfigurationPage, printEnvExample } from './print-configuration.ts';
import type { Variable } from './variable.ts';
import { variables } from './variables.ts';

const examples = Object.entries<Variable>(variables).map(([name, { example }]) => [name, example] as const);

it('prints an example file that sets nothing as it is', () => {
  expect(parseEnv(printEnvExample())).toEqual({});
});

it('prints an example file whose lines set the examples once they are uncommented', () => {
  const uncommented = printEnvExample().replaceAll(/^# (?=[A-Z_]+=)/gm, '');
  expect(parseEnv(uncommented)).toEqual(Object.fromEntries(examples));
});

it('gives valid examples, except for secrets', () => {
  const secrets = Object.entries<Variable>(variables).filter(([, { secret }]) => secret === true);
  const names = new Set(secrets.map(([name]) => name));
  expect(names).toEqual(
    new Set([
      'DATABASE_URL',
      'REDIS_URL',
      'CHROMA_URL',
      'SESSION_SECRET',
      'ENCRYPTION_KEYS',
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GOOGLE_API_KEY',
      'VERTEX_API_KEY',
      'AZURE_API_KEY',
      'BEDROCK_API_KEY',
      'OPENROUTER_API_KEY',
      'DEEPSEEK_API_KEY',
      'GROQ_API_KEY',
      'CEREBRAS_API_KEY',
      'MISTRAL_API_KEY',
      'XAI_API_KEY',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'MODEL_API_KEY',
      'CODEHOST_CLIENT_SECRET',
      'CODEHOST_WEBHOOK_SECRET',
      'SMTP_URL',
    ]),
  );
  const keys = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'b', CODEHOST_CLIENT_SECRET: 'c', SMTP_URL: 'smtp://d' };
  // The file of its example is not on this machine.
  const taken = examples.filter(([name]) => !names.has(name) && name !== 'OIDC_PROVIDERS');
  expect(() => parseConfig({ ...Object.fromEntries(taken), ...keys })).not.toThrow();
});

it('prints a row for every variable', () => {
  const rows = printConfigurationPage().match(/^\| `([A-Z_]+)` \|/gm) ?? [];
  expect(rows).toHaveLength(examples.length);
});
