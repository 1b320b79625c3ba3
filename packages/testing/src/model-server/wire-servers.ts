import { anthropic } from './anthropic-server.ts';
import { bedrock } from './bedrock-server.ts';
import { cerebras } from './cerebras-server.ts';
import { deepSeek } from './deepseek-server.ts';
import { fireworks } from './fireworks-server.ts';
import { google, vertex } from './gemini-servers.ts';
import { glm } from './glm-server.ts';
import { groq } from './groq-server.ts';
import { kimi } from './kimi-server.ts';
import { liteLlm } from './litellm-server.ts';
import { llamaCpp } from './llama-cpp-server.ts';
import { lmStudio } from './lm-studio-server.ts';
import { miniMax } from './minimax-server.ts';
import { mistral } from './mistral-server.ts';
import { ollama } from './ollama-server.ts';
import { openAiChat } from './openai-chat-server.ts';
import { openRouter } from './openrouter-server.ts';
import { qwen } from './qwen-server.ts';
import { azure, openAi, xai } from './responses-servers.ts';
import { sglang } from './sglang-server.ts';
import { together } from './together-server.ts';
import { vllm } from './vllm-server.ts';
import type { WireServer } from './wire-server.ts';
import { xaiChat } from './xai-chat-server.ts';

/** Every model server that is described here. */
export const wireServers: readonly WireServer[] = [
  anthropic,
  openAi,
  azure,
  google,
  vertex,
  bedrock,
  openRouter,
  deepSeek,
  groq,
  cerebras,
  mistral,
  xai,
  xaiChat,
  openAiChat,
  together,
  fireworks,
  kimi,
  glm,
  miniMax,
  qwen,
  vllm,
  sglang,
  ollama,
  llamaCpp,
  lmStudio,
  liteLlm,
];
