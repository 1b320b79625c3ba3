import type { Profile } from '@sluice/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { Loading } from '../ui/loading.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { passkeyObstacle } from './browser-passkeys.ts';
import { CurrentPassword } from './current-password.tsx';
import { Enrollment } from './enrollment.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';
import { type SecondFactor, secondFactorsQuery, useFactorsChanged } from './second-factor-queries.ts';

type Asked =
  | { readonly what: 'passkey' }
  | { readonly what: 'totp' }
  | { readonly what: 'codes' }
  | { readonly what: 'rename' | 'remove'; readonly factor: SecondFactor };

const titles = {
  passkey: 'Add a passkey',
  totp: 'Add an authenticator app',
  codes: 'Make new recovery codes?',
  rename: 'Rename a second factor',
  remove: 'Remove a second factor?',
} as const;

/** The second factors of an account: passkeys, authenticator apps and recovery codes. */
export function SecondFactorSection({ profile }: { readonly profile: Profile }) {
  const factors = useQuery(secondFactorsQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const obstacle = factors.data === undefined ? null : passkeyObstacle(factors.data.passkey_origin);
  const items = factors.data?.items ?? [];
  return (
    <Section
      title="Second factor"
      id="second-factor"
      about="Asked for after your password, so that a stolen password is not enough. A change ends your other sessions."
    >
      {factors.isError && <ErrorNotice error={factors.error} onRetry={() => void factors.refetch()} />}
      {factors.isPending && <Loading what="your second factors" />}
      {items.length > 0 && (
        <ul className={rows.rows}>
          {items.map((factor) => (
            <FactorRow key={factor.id} factor={factor} onAsk={(what) => setAsked({ what, factor })} />
          ))}
        </ul>
      )}
      {factors.isSuccess && items.length === 0 && <p>You have none: your password alone logs you in.</p>}
      {items.length > 0 && <p>{counted(factors.data?.recovery_codes_left ?? 0, 'recovery code')} left.</p>}
      <div className={styles.actions}>
        <Button disabled={obstacle !== null} onClick={() => obstacle === null && setAsked({ what: 'passkey' })}>
          Add a passkey…
        </Button>
        <Button onClick={() => setAsked({ what: 'totp' })}>Add an authenticator app…</Button>
        {items.length > 0 && <Button onClick={() => setAsked({ what: 'codes' })}>New recovery codes…</Button>}
      </div>
      {obstacle !== null && <p>{obstacle}</p>}
      <Dialog title={asked === null ? '' : titles[asked.what]} isOpen={asked !== null} onClose={close}>
        {asked !== null &&
          (asked.what === 'passkey' || asked.what === 'totp' ? (
            <Enrollment kind={asked.what} profile={profile} onDone={close} />
          ) : (
            <FactorForm asked={asked} profile={profile} onDone={close} />
          ))}
      </Dialog>
    </Section>
  );
}

interface FactorRowProps {
  readonly factor: SecondFactor;
  readonly onAsk: (what: 'rename' | 'remove') => void;
}

function FactorRow({ factor: { name, kind, created_at, last_used_at }, onAsk }: FactorRowProps) {
  const shown = visibleText(name);
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <span className={rows.strong}>{shown}</span>
        <span className={rows.line}>
          {kind === 'passkey' ? 'Passkey' : 'Authenticator app'}, added <RelativeTime at={created_at} />,{' '}
          {last_used_at === null ? (
            'never used'
          ) : (
            <>
              used <RelativeTime at={last_used_at} />
            </>
          )}
          .
        </span>
      </span>
      <Button aria-label={`Rename ${shown}`} onClick={() => onAsk('rename')}>
        Rename…
      </Button>
      <Button tone="danger" aria-label={`Remove ${shown}`} onClick={() => onAsk('remove')}>
        Remove…
      </Button>
    </li>
  );
}

interface FactorFormProps {
  readonly asked: Exclude<Asked, { readonly what: 'passkey' } | { readonly what: 'totp' }>;
  readonly profile: Profile;
  readonly onDone: () => void;
}

/** Renames or removes a factor, or makes new recovery codes: with the current password. */
function FactorForm({ asked, profile, onDone }: FactorFormProps) {
  const changed = useFactorsChanged();
  const change = useMutation({
    mutationFn: async (data: FormData): Promise<readonly string[] | null> => {
      const current_password = String(data.get('current_password') ?? '');
      const { auth } = client;
      if (asked.what === 'codes')
        return (await auth.secondFactors.replaceRecoveryCodes.mutate({ current_password })).recovery_codes;
      const { id } = asked.factor;
      if (asked.what === 'remove') await auth.secondFactors.remove.mutate({ id, current_password });
      else await auth.secondFactors.rename.mutate({ id, name: fieldText(data, 'name'), current_password });
      return null;
    },
    onSuccess: (codes) => {
      changed();
      if (codes === null) onDone();
    },
  });
  if (change.data !== undefined && change.data !== null) return <RecoveryCodes codes={change.data} />;
  const faults = fieldErrors(change.error);
  const action = { codes: 'Make new codes', rename: 'Rename', remove: 'Remove' }[asked.what];
  return (
    <Form label={titles[asked.what]} onSubmit={(data) => !change.isPending && change.mutate(data)}>
      {asked.what === 'codes' && <p>The codes that you have stop working.</p>}
      {asked.what === 'remove' && <p>{visibleText(asked.factor.name)} no longer completes a login.</p>}
      {asked.what === 'rename' && (
        <TextField label="Name" name="name" defaultValue={asked.factor.name} required error={faults.name} />
      )}
      <CurrentPassword profile={profile} error={faults.current_password} />
      {change.isError && <ErrorNotice error={change.error} />}
      <FormActions>
        <Button type="submit" tone={asked.what === 'remove' ? 'danger' : 'primary'} busy={change.isPending}>
          {action}
        </Button>
      </FormActions>
    </Form>
  );
}
