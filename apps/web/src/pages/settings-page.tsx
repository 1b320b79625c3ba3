import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { OwnBudgetsSection } from '../budgets/budget-sections.tsx';
import { NotificationsSection } from '../notifications/notifications-section.tsx';
import { SecondFactorSection } from '../second-factor/second-factor-section.tsx';
import { profileQuery, serverQuery } from '../session/queries.ts';
import { useLogOut } from '../session/use-log-out.ts';
import { AppearanceSection } from '../settings/appearance-section.tsx';
import { AuditSection } from '../settings/audit-section.tsx';
import { CodeHostSection, LinkOutcome } from '../settings/code-host-section.tsx';
import { DeleteAccountSection } from '../settings/delete-account-section.tsx';
import { FailedLoginsSection } from '../settings/failed-logins-section.tsx';
import { PasswordSection } from '../settings/password-section.tsx';
import { ProfileSection } from '../settings/profile-section.tsx';
import { SessionsSection } from '../settings/sessions-section.tsx';
import styles from '../settings/settings.module.css';
import { SingleSignOnSection } from '../settings/single-sign-on-section.tsx';
import { TokensSection } from '../tokens/tokens-section.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';

export function SettingsPage() {
  const outcome = useSearch({ from: '/session/settings' });
  const profile = useQuery(profileQuery);
  const server = useQuery(serverQuery);
  const error = profile.error ?? server.error;
  const isRead = profile.data !== undefined && server.data !== undefined;
  return (
    <Page title="Settings" actions={<LogOutButton />}>
      {isRead && <LinkOutcome outcome={outcome} profile={profile.data} />}
      {error !== null && (
        <ErrorNotice error={error} onRetry={() => void Promise.all([profile.refetch(), server.refetch()])} />
      )}
      {!isRead && error === null && <Loading what="your settings" />}
      {isRead && (
        <div className={styles.layout}>
          <SettingsNav takesTokens={server.data.details?.api_tokens === true} />
          <div className={styles.sections}>
            <ProfileSection profile={profile.data} sendsEmail={server.data.details?.sends_email === true} />
            <PasswordSection profile={profile.data} />
            <SecondFactorSection profile={profile.data} />
            <SessionsSection />
            <OwnBudgetsSection />
            <TokensSection />
            <SingleSignOnSection />
            <CodeHostSection profile={profile.data} name={server.data.details?.codehost?.name ?? null} />
            <NotificationsSection profile={profile.data} sendsEmail={server.data.details?.sends_email ?? false} />
            <AppearanceSection />
            <FailedLoginsSection />
            <AuditSection />
            <DeleteAccountSection profile={profile.data} />
          </div>
        </div>
      )}
    </Page>
  );
}

const sections = [
  ['profile', 'Profile'],
  ['password', 'Password'],
  ['second-factor', 'Second factor'],
  ['sessions', 'Sessions'],
  ['budgets', 'Budgets'],
  ['tokens', 'API tokens'],
  ['code-host', 'Code host'],
  ['notifications', 'Notifications'],
  ['appearance', 'Appearance'],
  ['failed-logins', 'Failed logins'],
  ['audit', 'Audit'],
  ['delete-account', 'Delete the account'],
] as const;

/** Leads to the sections of the settings. */
function SettingsNav({ takesTokens }: { readonly takesTokens: boolean }) {
  const shown = sections.filter(([id]) => id !== 'tokens' || takesTokens);
  return (
    <nav className={styles.nav} aria-label="Settings">
      {shown.map(([id, name]) => (
        <Link key={id} to="/settings" hash={id} activeOptions={{ includeHash: true }}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function LogOutButton() {
  const leave = useLogOut();
  return (
    <>
      {leave.isError && <ErrorNotice error={leave.error} />}
      <Button busy={leave.isPending} onClick={() => leave.mutate()}>
        Log out
      </Button>
    </>
  );
}
