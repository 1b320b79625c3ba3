import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/openapi/openapi-document.ts';
import { answerJudge } from './answer-judge.ts';

const judge = answerJudge(openApiDocument());
const usual = { 'x-request-id': 'a', 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };

function answer(status: number, body: unknown, headers: Record<string, string> = usual) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, text, headers: new Map(Object.entries(headers)) };
}

const live = { method: 'GET', path: '/api/health/live' };
const error = { detail: 'No.', code: 'validation_failed' };

describe('the judge of answers', () => {
  it.each([
    ['what the document says', { ...live, answer: answer(200, { status: 'up' }) }],
    ['a refusal that the document has', { ...live, answer: answer(400, error) }],
    [
      'a refusal of what never became a request',
      { ...live, answer: answer(400, { ...error, code: 'malformed_request' }) },
    ],
    ['a 404 where the document has no path', { method: 'GET', path: null, answer: answer(404, error) }],
    [
      'a 405 that names the methods',
      { ...live, method: 'PUT', answer: answer(405, error, { ...usual, allow: 'GET' }) },
    ],
  ])('lets pass %s', (_, exchange) => {
    expect(judge(exchange)).toBeNull();
  });

  it.each([
    ['a failure, though the document has it', 'failed', { ...live, answer: answer(500, error) }],
    ['a status that the document has not', 'no 403', { ...live, answer: answer(403, error) }],
    ['an error without detail', "'detail'", { ...live, answer: answer(400, { code: 'validation_failed' }) }],
    [
      'a code that the operation has not',
      'data/code',
      { ...live, answer: answer(400, { ...error, code: 'not_owner' }) },
    ],
    [
      'an error in HTML',
      'without its body',
      { ...live, answer: answer(400, '<p>', { ...usual, 'content-type': 'text/html' }) },
    ],
    ['a member that the document has not', 'additional', { ...live, answer: answer(200, { status: 'up', secret: 1 }) }],
    ['a member that is missing', 'required', { ...live, answer: answer(200, {}) }],
    ['a word that the document has not', 'data/status', { ...live, answer: answer(200, { status: 'great' }) }],
    [
      'another content type',
      'text/html',
      { ...live, answer: answer(200, 'up', { ...usual, 'content-type': 'text/html' }) },
    ],
    ['broken JSON', 'none', { ...live, answer: answer(200, '{') }],
    ['a body on HEAD', 'HEAD', { ...live, method: 'HEAD', answer: answer(200, { status: 'up' }) }],
    ['a 405 without Allow', 'Allow', { ...live, method: 'PUT', answer: answer(405, error) }],
    ['a 503 of no operation', '503', { method: 'GET', path: null, answer: answer(503, error) }],
    [
      'an answer without its name',
      'X-Request-Id',
      { ...live, answer: answer(200, { status: 'up' }, { 'content-type': 'application/json' }) },
    ],
  ])('finds %s', (_, told, exchange) => {
    expect(judge(exchange)).toContain(told);
  });
});
