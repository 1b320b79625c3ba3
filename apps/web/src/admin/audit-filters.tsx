import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../session/client.ts';
import type { AuditSearch } from '../session/search-params.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import styles from './admin.module.css';
import { isUserId } from './audit-question.ts';
import { auditActions } from './operator-audit-sentence.ts';
import { UserName } from './user-name.tsx';

/** Which entries are shown. All of it stands in the address. */
export function AuditFilters({ search }: { readonly search: AuditSearch }) {
  const navigate = useNavigate({ from: '/admin/audit' });
  const change = (part: AuditSearch) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const find = useMutation({
    mutationFn: findUser,
    onSuccess: (user) => user !== null && change({ user }),
  });
  return (
    <>
      <Form label="Filter by account" onSubmit={(data) => find.mutate(fieldText(data, 'account'))}>
        <TextField
          label="Account"
          name="account"
          autoComplete="off"
          hint="Its e-mail or id."
          error={find.isSuccess && find.data === null ? 'No account has this e-mail or id.' : undefined}
        />
        {find.isError && <ErrorNotice error={find.error} />}
        <FormActions>
          <Button type="submit" busy={find.isPending}>
            Filter
          </Button>
          {search.user !== undefined && isUserId(search.user) && (
            <>
              <span>
                Only <UserName id={search.user} />
              </span>
              <Button tone="quiet" onClick={() => change({ user: undefined })}>
                Show all accounts
              </Button>
            </>
          )}
        </FormActions>
      </Form>
      <div className={styles.filters}>
        <SelectField
          label="Action"
          value={search.action ?? ''}
          onChange={({ target }) => change({ action: target.value || undefined })}
        >
          <option value="">All actions</option>
          {auditActions.map((action) => (
            <option key={action} value={action}>
              {action}
            </option>
          ))}
        </SelectField>
        <TextField
          label="From (UTC)"
          type="date"
          value={search.from ?? ''}
          onChange={({ target }) => change({ from: target.value || undefined })}
        />
        <TextField
          label="Until (UTC)"
          type="date"
          value={search.to ?? ''}
          onChange={({ target }) => change({ to: target.value || undefined })}
        />
      </div>
    </>
  );
}

/** The id of the account with this e-mail or id; null when there is none. */
async function findUser(text: string): Promise<string | null> {
  if (isUserId(text)) return text;
  if (text === '') return null;
  const { items } = await client.admin.users.query({ q: text, limit: 100 });
  return items.find(({ email }) => email?.toLowerCase() === text.toLowerCase())?.id ?? null;
}
