import { expect, it } from 'vitest';
import * as z from 'zod';
import { structuredAnswer } from '../../src/roles/answer.ts';
import { searchText } from '../../src/tools/search-text.ts';
import { ask, choiceAt, failure } from './ask.ts';
import { refuse, startVendor } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

const format = wireFormats.find(({ provider }) => provider === 'compatible');
const answer = structuredAnswer({ name: 'triage', schema: z.object({ summary: z.string() }) });

/** A server that refuses requests in which it finds these words. */
function serverWithout(words: RegExp, message: string) {
  return startVendor((response, { body }) => {
    if (words.test(JSON.stringify(body))) refuse(response, 400, { body: { error: { message } } });
    else format?.whole(response, '{"summary":"Good."}');
  });
}

it.each([
  ["'response_format' of type 'json_schema' is not supported", /json_schema/, { tools: [], answer }],
  ['This response_format type is unavailable now', /json_schema/, { tools: [], answer }],
  ['model: x does not support feature: structured-outputs', /json_schema/, { tools: [], answer }],
  ['tools[0]: the keyword "maximum" is not supported', /"maximum"/, { tools: [searchText] }],
  ['Invalid tool schema: maximum is not allowed', /"maximum"/, { tools: [searchText] }],
])('asks in the plain form when a server says "%s", and then only so', async (message, words, options) => {
  await using vendor = await serverWithout(words, message);
  const choice = choiceAt(vendor.url, 'compatible/old');
  expect(await ask([choice], options)).toMatchObject({ said: '{"summary":"Good."}' });
  expect(vendor.requests).toHaveLength(2);
  expect(await ask([choice], options)).toMatchObject({ said: '{"summary":"Good."}' });
  expect(vendor.requests).toHaveLength(3);
});

it('repeats no request that is refused for another reason, and tells the last reason where the plain form is refused too', async () => {
  await using none = await serverWithout(/./, 'max_tokens is too large');
  expect(await failure(ask([choiceAt(none.url, 'compatible/old')], { tools: [], answer }))).toMatchObject({
    code: 'model_request_refused',
    message: expect.stringContaining('max_tokens'),
  });
  expect(none.requests).toHaveLength(1);
  await using always = await serverWithout(/./, 'the schema is refused');
  await failure(ask([choiceAt(always.url, 'compatible/old')], { tools: [], answer }));
  expect(always.requests).toHaveLength(2);
});
