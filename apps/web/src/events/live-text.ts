import type { WatchedEvent } from '@sluice/client';

/** The end of what is being written at this moment. It is not stored: the event that follows has the result. */
export interface LiveText {
  /** What a model is answering. */
  readonly answer: { readonly agent: string; readonly text: string } | null;
  /** What a command is writing. */
  readonly output: { readonly command: string; readonly text: string } | null;
  /** How many pieces of output were received: more is in the log. */
  readonly outputs: number;
}

export const noLiveText: LiveText = { answer: null, output: null, outputs: 0 };

const MAX_CHARACTERS = 8_192; // the few lines that are shown, with room for colours

/** The live text after an event. A stored event with the result replaces what was written until then. */
export function withLiveText(live: LiveText, event: WatchedEvent): LiveText {
  switch (event.type) {
    case 'agent.delta': {
      const { agent, text } = event.data;
      const before = live.answer?.agent === agent ? live.answer.text : '';
      return { ...live, answer: { agent, text: (before + text).slice(-MAX_CHARACTERS) } };
    }
    case 'command.output': {
      const { command, text } = event.data;
      const before = live.output?.command === command ? live.output.text : '';
      const output = { command, text: (before + text).slice(-MAX_CHARACTERS) };
      return { ...live, output, outputs: live.outputs + 1 };
    }
    case 'agent.message':
    case 'agent.tool_call':
      return live.answer === null ? live : { ...live, answer: null };
    case 'command.started':
    case 'command.finished':
      return live.output === null ? live : { ...live, output: null };
    case 'stage.started':
    case 'stage.completed':
    case 'stage.failed':
      return live.answer === null && live.output === null ? live : { ...noLiveText, outputs: live.outputs };
    default:
      return live;
  }
}
