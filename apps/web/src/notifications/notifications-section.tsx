import type { Profile } from '@sluice/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { CheckField } from '../ui/field.tsx';
import { Loading } from '../ui/loading.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { targetsQuery, useTargetsChanged } from './notification-queries.ts';
import { TargetDialog } from './target-dialog.tsx';
import { TargetRow } from './target-row.tsx';

interface NotificationsSectionProps {
  readonly profile: Profile;
  readonly sendsEmail: boolean;
}

/** Where the user is notified outside of the console. */
export function NotificationsSection({ profile, sendsEmail }: NotificationsSectionProps) {
  const [isAdding, setIsAdding] = useState(false);
  const targets = useQuery(targetsQuery);
  return (
    <Section
      title="Notifications"
      id="notifications"
      about="Where you are notified outside the console. Notifications of the browser are under Appearance."
      actions={<Button onClick={() => setIsAdding(true)}>Add a webhook…</Button>}
    >
      <EmailSwitch profile={profile} sendsEmail={sendsEmail} />
      {targets.isPending && <Loading what="your notifications" />}
      {targets.isError && <ErrorNotice error={targets.error} onRetry={() => void targets.refetch()} />}
      {targets.data !== undefined && targets.data.length > 0 && (
        <ul className={rows.rows}>
          {targets.data.map((target) => (
            <TargetRow key={target.id} target={target} />
          ))}
        </ul>
      )}
      {isAdding && <TargetDialog onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

/** Turns the e-mails to the user's own address on and off. */
function EmailSwitch({ profile, sendsEmail }: NotificationsSectionProps) {
  const { data: targets } = useQuery(targetsQuery);
  const changed = useTargetsChanged();
  const target = targets?.find(({ channel }) => channel === 'email');
  const change = useMutation({
    mutationFn: async (enabled: boolean) => {
      if (target === undefined) await client.notifications.create.mutate({ channel: 'email' });
      else await client.notifications.update.mutate({ id: target.id, enabled });
    },
    onSettled: changed,
  });
  const isOn = target?.enabled === true;
  const isPossible = sendsEmail && profile.email !== null;
  return (
    <>
      <CheckField
        label="E-mails when an issue needs you"
        hint={emailHint({ profile, sendsEmail })}
        checked={change.isPending ? change.variables : isOn}
        disabled={targets === undefined || change.isPending || (!isOn && !isPossible)}
        onChange={({ target: box }) => change.mutate(box.checked)}
      />
      {change.isError && <ErrorNotice error={change.error} />}
    </>
  );
}

function emailHint({ profile, sendsEmail }: NotificationsSectionProps): string {
  if (!sendsEmail) return 'This server sends no e-mail. Its operator can set SMTP_URL and SMTP_FROM.';
  if (profile.email === null) return 'Your account has no e-mail address. Set one under Password.';
  return `They go to ${profile.email}. Each has a link that turns them off.`;
}
