import { hostileName, hostileStrings, hostileText, megabyteLine } from './hostile-text.ts';
import type { SeededDatabase } from './seeded-database.ts';
import { commitOf, seedIssue } from './seeded-issue.ts';

interface Teller {
  readonly userId: string;
  readonly repoId: string;
}

export interface HostileStory {
  readonly atGate: string;
  readonly done: string;
  readonly failed: string;
}

const [BASE, HEAD] = [commitOf('base'), commitOf('head')];
const usage = { input_tokens: 1_000, output_tokens: 100, cost_usd: null };

/** Issues in which each text that a person, an agent, a command or a repository can write is hostile. */
export function seedHostileStory(database: SeededDatabase, teller: Teller): HostileStory {
  const begin = (title: string) =>
    seedIssue({
      ...teller,
      title,
      body: hostileText('BODY'),
      labels: [hostileName('LABEL'), ...hostileStrings.slice(0, 20)],
      branch: hostileName('BRANCH'),
      at: Date.now() - 600_000,
    });
  const triage = {
    kind: 'bug',
    risk: 'low',
    summary: '',
    acceptance_criteria: [],
    open_questions: [hostileText('ASKED')],
  };
  const command = hostileText('COMMAND');
  const pipeline = {
    ...{ branch: hostileName('BRANCH'), warnings: [hostileText('WARNING')], base_commit: BASE, tree: 'seeded', triage },
    ...{ setup_command: command, test_command: command, setup_source: 'detected', test_source: 'settings' },
  };

  const atGate = begin(hostileName('TITLE'));
  atGate.plan(plan(1, null), triage);
  atGate.event('review.decided', {
    revision: 1,
    action: 'instruct',
    guidance: hostileText('GUIDANCE'),
    user_id: teller.userId,
  });
  atGate.plan({ ...plan(2, hostileText('GUIDANCE')), summary: hostileText('SECOND') }, triage);
  atGate.write(database, {
    pipeline,
    gate: {
      ...{ kind: 'plan', revision: 2, plan_hash: null, base_commit: BASE, head_commit: null },
      ...{ requested_at: new Date(atGate.now()).toISOString(), expires_at: null },
      reasons: [hostileText('REASON')],
      blocker: hostileText('BLOCKER'),
    },
  });

  const done = begin(hostileName('DONE'));
  done.stage('implement', { agent: hostileName('AGENT'), usage, detail: hostileText('DETAIL') }, () => {
    done.event('agent.message', { agent: hostileName('AGENT'), text: hostileText('MESSAGE') });
    for (const text of hostileStrings) {
      done.tool('coder', { tool: text.slice(0, 60), input: { [text.slice(0, 80)]: text }, ok: false, summary: text });
      done.event('agent.message', { agent: 'coder', text });
    }
    done.tool('coder', {
      tool: hostileName('TOOL'),
      input: { [hostileName('KEY')]: hostileText('INPUT') },
      summary: hostileText('SUMMARY'),
    });
    done.event('user.message', { text: hostileText('NOTE') });
    done.command(command, {
      text: `${hostileStrings.join('\n')}\n${hostileText('OUTPUT')}\n${megabyteLine}\n`,
      errors: hostileText('STDERR'),
      exit: 1,
    });
  });
  done.patch(
    [
      {
        path: `src/${hostileName('FILE')}.js`,
        isNew: true,
        lines: hostileStrings.flatMap((text) => text.split(/\r?\n/)).map((line) => `+${line}`),
      },
      {
        path: 'a\tb\n<b data-hostile>\u202e.js',
        lines: [' const a = 1;', `-${hostileText('BEFORE')}`, `+${hostileText('AFTER')}`],
      },
      {
        path: `${'very-long-name-'.repeat(16)}.txt`,
        isNew: true,
        lines: [`+${megabyteLine}`, '+\u001b[31m\u0007\u0008\u007f'],
      },
    ],
    { base: BASE, head: HEAD },
  );
  const findings = [{ kind: 'scratch_file', path: hostileName('FOUND'), line: 1, detail: hostileText('FINDING') }];
  const tests = {
    ...{
      command,
      verdict: 'red',
      exit_code: 1,
      duration_ms: 10,
      base_exit_code: 0,
      red_because: hostileText('BECAUSE'),
    },
    ...{ new_failures: [hostileText('FAILURE'), ...hostileStrings.slice(0, 50)], failed_before: [], must_pass: [] },
    ...{ flaky: [], not_run: [], missing: [], base_tests: null, counts: null, base_counts: null },
    reproduction: { outcome: 'reproduced', detail: hostileText('REPRODUCED') },
  };
  const result = {
    ...{ branch: hostileName('BRANCH'), base_commit: BASE, head_commit: HEAD, summary: hostileText('RESULT') },
    ...{
      change_request_url: 'javascript:alert(8)',
      files_changed: 3,
      additions: 5,
      deletions: 1,
      tests,
      findings,
      answer: null,
    },
  };
  done.event('result.published', { result });
  done.status('completed', 'publish', hostileText('END'));
  done.write(database, {
    result,
    pipeline: {
      ...pipeline,
      implementation: {
        ...{ summary: hostileText('DID'), head_commit: HEAD, ran: [], made_by: [hostileName('MODEL')], findings },
        outside_plan: [{ path: 'a\tb\n<b data-hostile>\u202e.js', reason: hostileText('WHY') }],
      },
      tests,
      review: {
        decision: 'approve',
        summary: hostileText('REVIEW'),
        findings: [hostileText('REMARK'), ...hostileStrings],
      },
    },
  });

  const failed = begin(hostileName('FAILED'));
  failed.stage('prepare', { failure: hostileText('REFUSED') });
  failed.status('failed', 'prepare', hostileText('END'));
  failed.write(database, { error: { stage: 'prepare', detail: hostileText('ERROR') } });

  for (const title of hostileStrings) {
    const one = seedIssue({ ...teller, title, body: title, at: Date.now() - 6_000_000 });
    one.status('cancelled', null);
    one.write(database, {});
  }
  database.insert(
    'audit_entries',
    hostileStrings.slice(0, 100).map((text) => ({
      ...{ user_id: teller.userId, actor: 'user', session_id: null, action: 'repo.registered', subject_id: null },
      detail: { name: text },
      at: Date.now(),
    })),
  );
  return { atGate: atGate.id, done: done.id, failed: failed.id };
}

function plan(revision: number, guidance: string | null) {
  return {
    revision,
    guidance,
    summary: hostileText('PLAN'),
    steps: [
      {
        title: hostileText('STEP'),
        detail: hostileText('HOW'),
        files: [hostileName('PLANNED'), '../../etc/passwd', 'javascript:alert(9)'],
      },
      ...hostileStrings.slice(0, 60).map((text) => ({ title: text, detail: text, files: [text.slice(0, 100)] })),
    ],
    acceptance_criteria: [hostileText('CRITERION'), ...hostileStrings.slice(60, 160)],
    risks: [hostileText('RISK')],
    test_strategy: hostileText('STRATEGY'),
    setup_command: 'npm ci',
  };
}
