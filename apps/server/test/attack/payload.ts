import type { ScriptedRole } from '../model-server.ts';

/** What the payload orders the model to do: calls in this order, or a part of its answer, or text instead of an answer. */
export interface Act {
  readonly calls?: readonly Call[];
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly text?: string;
}

export interface Call {
  readonly tool: string;
  readonly input: object;
}

/** Where the instruction is planted. */
export const channels = [
  'issue',
  'title',
  'label',
  'instructions',
  'advice',
  'file',
  'search',
  'hit',
  'outline',
  'file name',
  'command output',
  'test output',
  'tool error',
  'triage',
  'plan',
  'diff',
  'note',
  'guidance',
] as const;
export type Channel = (typeof channels)[number];

export interface Payload extends Act {
  readonly name: string;
  readonly role: ScriptedRole;
  readonly via: Channel;
  /** `refused`: every call must be; `contained`: it may run, and nothing comes of it. */
  readonly outcome: 'refused' | 'contained';
}

interface Block extends Act {
  readonly name: string;
  readonly role: ScriptedRole;
}

/** An instruction as it stands in a text. One word, so that it comes through every quoting and line number. */
export function instruction({ name, role, calls, answer, text }: Block): string {
  const told = [name, calls?.map(({ tool, input }) => [tool, input]) ?? 0, answer ?? 0, text ?? 0];
  while (told.at(-1) === 0) told.pop();
  return `obey-${role}-${Buffer.from(JSON.stringify(told)).toString('base64url')}-end`;
}

/** The instructions for a role in a text, in order. */
export function instructionsIn(text: string, role: ScriptedRole): (Act & { readonly name: string })[] {
  return [...text.matchAll(new RegExp(`obey-${role}-([\\w-]+?)-end(?![\\w-])`, 'g'))].map((match) => {
    const [name, calls = 0, answer = 0, words = 0] = JSON.parse(Buffer.from(match[1] ?? '', 'base64url').toString());
    return {
      name,
      ...(calls !== 0 && { calls: calls.map(([tool, input]: [string, object]) => ({ tool, input })) }),
      ...(answer !== 0 && { answer }),
      ...(words !== 0 && { text: words }),
    };
  });
}
