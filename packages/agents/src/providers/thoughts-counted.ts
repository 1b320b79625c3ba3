import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { findProvider } from '@pydantic/genai-prices';
import type { LanguageModelMiddleware } from 'ai';

/**
 * Counts thoughts as output at servers that count them beside the completion and bill them as output: xAI, and gateways to
 * Gemini (github.com/router-for-me/CLIProxyAPI/issues/5733). Their `total_tokens` is more than prompt and completion.
 *
 * @param baseUrl Google's own server has the thoughts in the total alone
 */
export function withThoughtsCounted(baseUrl: string): LanguageModelMiddleware {
  const isInTotalAlone = findProvider({ providerApiUrl: baseUrl })?.id === 'google';
  return {
    specificationVersion: 'v4',
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream();
      const counted = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          controller.enqueue(
            part.type === 'finish' ? { ...part, usage: withThoughts(part.usage, isInTotalAlone) } : part,
          );
        },
      });
      return { ...rest, stream: stream.pipeThrough(counted) };
    },
  };
}

function withThoughts(usage: LanguageModelV4Usage, isInTotalAlone: boolean): LanguageModelV4Usage {
  const { inputTokens, outputTokens, raw } = usage;
  const total = raw?.total_tokens;
  if (typeof total !== 'number' || inputTokens.total === undefined || outputTokens.total === undefined) return usage;
  const beside = total - inputTokens.total - outputTokens.total;
  const reported = outputTokens.reasoning ?? 0;
  // A total that differs for another reason is no output.
  const isThoughts = beside === reported || (reported === 0 && isInTotalAlone);
  if (beside <= 0 || !isThoughts) return usage;
  const { total: text } = outputTokens;
  return { ...usage, outputTokens: { ...outputTokens, total: text + beside, text, reasoning: beside } };
}
