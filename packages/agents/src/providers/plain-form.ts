import { APICallError, type LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';

const REFUSED = /schema|response_format|grammar|structured.?output|guided|keyword/i;
/** What every server reads of a schema. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'properties', 'required', 'items', 'enum']);

/**
 * Asks once more in the plain form when a server refuses the schema of the answer or of a tool, as older servers and
 * gateways do: for an answer in text, and with the plain keywords in the tools' schemas. From then on it asks only so. The
 * roles' instructions tell the shape as well, and it is checked in any case.
 */
export function plainFormWhereRefused(): LanguageModelMiddleware {
  let isPlain = false;
  return {
    specificationVersion: 'v4',
    async wrapStream({ doStream, model, params }) {
      if (isPlain) return await model.doStream(plainForm(params));
      try {
        return await doStream();
      } catch (error) {
        if (!isFormRefused(error)) throw error;
        const answer = await model.doStream(plainForm(params));
        isPlain = true;
        return answer;
      }
    },
  };
}

function isFormRefused(error: unknown): boolean {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return false;
  return REFUSED.test(`${error.message} ${error.responseBody ?? ''}`);
}

function plainForm(params: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { tools } = params;
  return {
    ...params,
    responseFormat: { type: 'text' },
    ...(tools !== undefined && {
      tools: tools.map((tool) =>
        tool.type === 'function' ? { ...tool, inputSchema: plainSchema(tool.inputSchema) } : tool,
      ),
    }),
  };
}

function plainSchema<Schema>(schema: Schema): Schema {
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([keyword]) => PLAIN_KEYWORDS.has(keyword));
  return Object.fromEntries(
    members.map(([keyword, value]) => {
      if (keyword === 'items') return [keyword, plainSchema(value)];
      if (keyword !== 'properties' || typeof value !== 'object' || value === null) return [keyword, value];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainSchema(one)]))];
    }),
  ) as Schema;
}
