import { expect, it } from 'vitest';
import { overviewOf } from './admin-overview-scene.ts';
import { signUp } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';

const CANARY = 'canary-of-the-configuration';

it('says which secrets are set, and holds none of them', async () => {
  const secrets = {
    SESSION_SECRET: `${CANARY}-session-secret`,
    ENCRYPTION_KEYS: `${CANARY}:${Buffer.from(CANARY.padEnd(32, '!').slice(0, 32)).toString('base64')}`,
    ANTHROPIC_API_KEY: `${CANARY}-anthropic`,
    OPENAI_API_KEY: `${CANARY}-openai`,
    MODEL_API_KEY: `${CANARY}-compatible`,
    CODEHOST_CLIENT_ID: 'an-app',
    CODEHOST_CLIENT_SECRET: `${CANARY}-client`,
    CODEHOST_WEBHOOK_SECRET: `${CANARY}-webhook-0123456789abcdef`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${CANARY}`,
  };
  await using server = await startScratchServer(secrets);
  const { body } = await overviewOf(await signUp(server.url));
  const values = new Map(body.configuration.map(({ name, value }) => [name, value]));
  for (const name of Object.keys(secrets)) {
    expect([name, values.get(name)]).toEqual([name, name === 'CODEHOST_CLIENT_ID' ? 'an-app' : null]);
  }
  expect(values.get('ALLOW_LOCAL_REPOS')).toBe('on');
  expect(JSON.stringify(body).toLowerCase()).not.toContain(CANARY);
});
