import type { AgentContext, AgentRole } from '@sluice/core/agent';
import { storableText } from '@sluice/core/text';

const COALESCE_MS = 80; // fast enough to look live, slow enough that a fast model does not flood the stream

/** Streams a model's text as it arrives, in batches. `end` sends the rest. */
export function liveText(
  context: Pick<AgentContext, 'live'>,
  agent: AgentRole,
): { add(text: string): void; end(): void } {
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const send = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting !== '') context.live({ type: 'agent.delta', data: { agent, text: storableText(waiting) } });
    waiting = '';
  };
  return {
    add(text) {
      waiting += text;
      timer ??= setTimeout(send, COALESCE_MS);
    },
    end: send,
  };
}
