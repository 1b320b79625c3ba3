import { setTimeout as sleep } from 'node:timers/promises';
import type { SluiceClient } from '@sluice/client';
import { type IssueWire, isOpenForDecision } from '@sluice/core/issue';
import type { LocalFolder } from '../local/open-local-folder.ts';
import { shortId } from '../render/short-id.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { type NewIssue, type RunSettings, startIssue } from './start-issue.ts';

interface TurnRequest {
  readonly repoId: string;
  readonly issue: NewIssue;
  readonly settings: RunSettings;
  readonly continueCommand: string;
  readonly signal: AbortSignal;
}

const POLL_MS = 500;

/**
 * Creates the issue. On a server it waits there for its repository. Here, while another process works on the repository, it
 * waits for its end: then this one goes on with what that one has left, and with its own issue under its own configuration.
 *
 * @throws CommandError `conflict` when an earlier issue is in the way and no process works on it; `waitsForApproval` when
 * it would wait for a decision and there is no terminal to ask at
 */
export async function createInTurn(
  run: { readonly client: SluiceClient; readonly output: Output; readonly folder: LocalFolder | null },
  request: TurnRequest,
): Promise<string> {
  const { client, output, folder } = run;
  const { repoId, continueCommand, signal } = request;
  let lastLine = '';
  for (let isFirst = true; ; isFirst = false) {
    const outcome =
      folder?.isHeldElsewhere() === true
        ? { busy: (await client.repos.get.query({ id: repoId }, { signal })).active_issue_id }
        : await startIssue(client, { ...request, queue: folder === null });
    if ('id' in outcome) return outcome.id;
    const active = outcome.busy === null ? null : await client.issues.get.query({ id: outcome.busy }, { signal });
    const isAlone = folder?.isHeldElsewhere() !== true;
    if (isAlone) {
      if (active === null) continue; // it ended a moment ago
      if (isFirst) throw inTheWay(active, folder === null ? null : continueCommand);
      if (isOpenForDecision(active.status) && !isAtTerminal()) throw waitsBehind(active);
    }
    const line = `Waiting for ${active === null ? 'another run on this repository.' : waitsFor(active)}`;
    if (line !== lastLine) output.message(output.messageStyle('dim', line));
    lastLine = line;
    await sleep(POLL_MS, undefined, { signal });
  }
}

function waitsFor(active: IssueWire): string {
  const why = isOpenForDecision(active.status) ? `waiting for a decision: ${decideOn(active)}` : 'in progress here.';
  return `${nameOf(active)}, which is ${why}`;
}

function inTheWay(active: IssueWire, continueCommand: string | null): CommandError {
  const id = shortId(active.id);
  const prefix = continueCommand === null ? `${ownCommand()} issues` : ownCommand();
  const follow = continueCommand ?? `${prefix} watch ${id}`;
  return new CommandError(
    exitCode.conflict,
    `${nameOf(active)} is in progress on this repository (${active.status}). Continue it: ${follow}, or end it: ${prefix} cancel ${id}`,
  );
}

function waitsBehind(active: IssueWire): CommandError {
  const detail = `No issue was created: ${nameOf(active)} comes first, and is waiting for a decision`;
  return new CommandError(exitCode.waitsForApproval, `${detail}. Decide with: ${decideOn(active)}`);
}

function decideOn({ id }: IssueWire): string {
  return `${ownCommand()} approve ${shortId(id)}  (or reject, or instruct)`;
}

function nameOf({ id, title }: IssueWire): string {
  return `Issue ${shortId(id)} "${plainLine(title)}"`;
}
