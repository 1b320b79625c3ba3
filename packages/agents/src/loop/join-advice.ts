import type { AgentRole } from '@sluice/core/agent';
import type { CodeHit } from '@sluice/core/code-search';
import { storableJson } from '@sluice/core/text';
import {
  type Advice,
  type AdviceRoom,
  adviceRoom,
  type ChosenAdvice,
  chooseAdvice,
  type KnownAdvice,
  NO_ADVICE,
  sizeOfAdvice,
} from '../advice/choose-advice.ts';
import { adviceSections } from '../roles/request-sections.ts';
import { allFenced } from '../tools/fence.ts';
import { outline } from '../tools/outline.ts';
import { plainPath } from '../tools/plan-scope.ts';
import { readFile } from '../tools/read-file.ts';
import { messageEvent } from './agent-events.ts';
import { roomInCharacters } from './context-window.ts';
import { fileWrites } from './file-writes.ts';
import type { RoleExecution } from './role-execution.ts';
import { type CallWithResult, callsWithResults, hasFailed, type TranscriptMessage } from './transcript.ts';

const NOTHING_KNOWN: KnownAdvice = { shown: new Map(), isNamed: () => false };

/** The advice that a role's request begins with: that for the files it is about, and the general. */
export async function adviceAtOpening<Role extends AgentRole>(
  { setup, context, advice: source }: RoleExecution<Role>,
  hits: readonly CodeHit[],
): Promise<ChosenAdvice> {
  const about = setup.definition.adviceAbout?.(setup.input, hits) ?? null;
  if (about === null) return NO_ADVICE;
  const candidates = [...(await source.about(about)), ...(await source.general())];
  const room = adviceRoom(roomInCharacters(setup.choices));
  return await chooseAdvice(candidates, { source, files: context.workspace.files, room, known: NOTHING_KNOWN });
}

const JOINED = 'The repository has advice for files that you have just read or written:';

/**
 * Gives a role the advice for the files that the calls of its last answer read or wrote, where it has not been given
 * that. It comes as a message behind the results, so that the beginning of the request stays as it is. What has been
 * given is known from the conversation itself.
 */
export async function joinAdvice<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<void> {
  const { setup, context, record, advice: source } = execution;
  const { role, adviceAbout } = setup.definition;
  if (adviceAbout === undefined) return;
  const { transcript } = record.now();
  const last = transcript.findLastIndex(({ kind }) => kind === 'answer');
  const paths = last < 0 ? [] : callsWithResults(transcript.slice(last)).flatMap(pathsOf);
  if (paths.length === 0) return;
  const candidates = await source.about(paths);
  if (candidates.length === 0) return;
  const { shown, named } = adviceIn(transcript);
  const known: KnownAdvice = {
    shown: await source.idsOf(shown.map(({ path }) => path)),
    isNamed: (path) => named.some((line) => line === `- ${path}` || line.startsWith(`- ${path}: `)),
  };
  const room = roomLeft(adviceRoom(roomInCharacters(setup.choices)), { shown, named });
  const chosen = await chooseAdvice(candidates, { source, files: context.workspace.files, room, known });
  const given = chosen.shown.map(({ path }) => path);
  if (given.length === 0 && chosen.named.length === 0) return;
  const content = [...(given.length === 0 ? [] : [JOINED]), ...adviceSections(chosen)].join('\n\n');
  const message = storableJson({ role: 'user', content });
  await record.write({
    entries: [{ kind: 'told', about: 'advice', message }],
    events:
      given.length === 0
        ? []
        : [messageEvent('service', `The ${role} was given the repository's advice in ${given.join(', ')}.`)],
  });
}

/** The files that a call read or wrote, as git spells them. */
function pathsOf(made: CallWithResult): string[] {
  const { call, result } = made;
  if (call.toolName !== readFile.name && call.toolName !== outline.name) {
    return fileWrites(made).map(({ path }) => path);
  }
  const { input } = call;
  if (hasFailed(result) || typeof input !== 'object' || input === null || !('path' in input)) return [];
  return typeof input.path === 'string' ? [plainPath(input.path)] : [];
}

/** The advice that a conversation holds. */
function adviceIn(transcript: readonly TranscriptMessage[]): { shown: Advice[]; named: string[] } {
  const given = transcript.flatMap(({ message, kind, about }) =>
    message.role === 'user' && typeof message.content === 'string' && (kind === 'request' || about === 'advice')
      ? [message.content]
      : [],
  );
  const shown = given
    .flatMap((text) => allFenced('advice', text))
    .map((text): Advice => {
      const end = text.indexOf('\n\n');
      return { path: text.slice(0, end), text: text.slice(end + 2) };
    });
  return { shown, named: given.flatMap((text) => allFenced('more_advice', text)).flatMap((text) => text.split('\n')) };
}

function roomLeft(
  room: AdviceRoom,
  { shown, named }: { shown: readonly Advice[]; named: readonly string[] },
): AdviceRoom {
  return {
    shown: room.shown - shown.reduce((sum, advice) => sum + sizeOfAdvice(advice), 0),
    named: room.named - named.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
  };
}
