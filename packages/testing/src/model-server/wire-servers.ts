import { anthropic } from './anthropic-server.ts';
import { bedrock } from './bedrock-server.ts';
import { cerebras, fireworks, groq, mistral, openAiChat } from './closed-chat-servers.ts';
import { google, vertex } from './gemini-servers.ts';
import { llamaCpp, lmStudio, ollama, sglang, vllm } from './local-chat-servers.ts';
import { liteLlm, openRouter, together, xaiChat } from './open-chat-servers.ts';
import { azure, openAi, xai } from './responses-servers.ts';
import { deepSeek, glm, kimi, miniMax, qwen } from './switched-chat-servers.ts';
import type { WireServer } from './wire-server.ts';

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
