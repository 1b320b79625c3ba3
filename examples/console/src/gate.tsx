import type { Issue, Gate as OpenGate } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, refusalOf, sluice } from './sluice.ts';

/** Shows what waits for a decision, and sends the decision with what was shown, so that it cannot be for anything else. */
export function Gate({ issue, gate }: { issue: Issue; gate: OpenGate }) {
  const [guidance, setGuidance] = useState('');
  const refresh = () => queryClient.invalidateQueries(sluice.issues.get.queryFilter({ id: issue.id }));
  const decide = useMutation(sluice.issues.approve.mutationOptions({ onSettled: refresh }));
  const seen = {
    id: issue.id,
    revision: gate.revision,
    ...(gate.head_commit === null ? {} : { head_commit: gate.head_commit }),
  };
  const refusal = refusalOf(decide.error);
  return (
    <section aria-label="Decision">
      <h2>{gate.kind === 'plan' ? `Plan ${gate.revision}` : `Publish ${gate.head_commit}`}</h2>
      <p>{issue.plan?.summary}</p>
      <ol>
        {issue.plan?.steps.map(({ title, detail }) => (
          <li key={title}>
            {title}: {detail}
          </li>
        ))}
      </ol>
      <List title="Why this needs approval" items={gate.reasons} />
      <List title="Done when" items={issue.plan?.acceptance_criteria ?? []} />
      <List title="Risks" items={issue.plan?.risks ?? []} />
      <List title="Open questions: instruct answers them" items={issue.triage?.open_questions ?? []} />
      <p>
        {issue.triage !== null && `${issue.triage.kind}, ${issue.triage.risk} risk. `}
        {issue.usage.cost_usd !== null && `It has cost $${issue.usage.cost_usd.toFixed(2)} so far. `}
        {gate.expires_at !== null && `The gate ends on ${new Date(gate.expires_at).toLocaleString()}.`}
      </p>
      {gate.blocker === null && (
        <button type="button" onClick={() => decide.mutate({ ...seen, action: 'approve' })}>
          Approve
        </button>
      )}
      <button type="button" onClick={() => decide.mutate({ ...seen, action: 'reject' })}>
        Reject
      </button>
      <label>
        What should change? <input value={guidance} onChange={(event) => setGuidance(event.target.value)} />
      </label>
      <button
        type="button"
        disabled={guidance === ''}
        onClick={() => decide.mutate({ ...seen, action: 'instruct', guidance })}
      >
        Instruct
      </button>
      {refusal !== null && <p role="alert">{refusal.detail}</p>}
    </section>
  );
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </>
  );
}
