import type { PublicConfig } from '@groundswell/contract/operations.ts'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/page.tsx'
import { SettingNotLoaded } from '../../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingRow } from '../../../ui/setting-row.tsx'
import { readAuthSession, readToken } from '../../client/index.ts'
import { hasPassword, signsInWithGoogle, useAccountUser } from '../account-user.ts'
import { isBySso } from '../sign-in/sso-token.ts'
import { useUserData } from '../user-store.ts'
import { EmailDialog } from './email-dialog.tsx'
import { EmailState } from './email-state.tsx'
import { HostedSignIns } from './hosted-sign-ins.tsx'
import { NameDialog } from './name-dialog.tsx'
import { OwnData } from './own-data.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { SecondFactorRow } from './second-factor-row.tsx'
import { SignIns } from './sign-ins.tsx'

/**
 * The account in Settings: profile, credentials, sessions and stored data. `config` is null on a third-party server whose
 * accounts belong to a hosted project.
 */
export function AccountSettings({ config }: { config: PublicConfig | null | undefined }) {
  const renewable = readAuthSession() !== null
  const project = config?.hosted_auth
  if (!config && !renewable) return null
  const bySso = isBySso(readToken())
  return (
    <>
      <Section
        title="Account"
        lead={
          project
            ? `Your profile and how you sign in. Sign-in is managed by ${new URL(project.url).host}.`
            : 'Your profile and how you sign in.'
        }
      >
        {bySso ? <SsoSignIn /> : renewable ? <SignInSettings mail={config?.mail ?? true} /> : <OldSignIn />}
      </Section>
      {config ? (
        <>
          {project ? <HostedSignIns project={project} /> : bySso ? null : <SignIns />}
          {bySso ? null : <OwnData />}
        </>
      ) : null}
    </>
  )
}

/** For a token without a session: it grants access to the product but cannot change credentials. */
function OldSignIn() {
  const user = useUserData()
  return (
    <SettingCard>
      <SettingRow title={user?.name}>{user?.email}</SettingRow>
      <SettingRow title="To change how you sign in, log out and log in again">
        Your session started before these settings were available.
      </SettingRow>
    </SettingCard>
  )
}

/** A session of single sign-on cannot change the account, which may belong to other workspaces too. */
function SsoSignIn() {
  const user = useUserData()
  return (
    <SettingCard>
      <SettingRow title={<span dir="auto">{user?.name}</span>}>{user?.email}</SettingRow>
      <SettingRow title="Signed in with single sign-on">
        For this workspace only. To change or delete your account, log in another way.
      </SettingRow>
    </SettingCard>
  )
}

function SignInSettings({ mail }: { mail: boolean }) {
  const name = useUserData()?.name
  const user = useAccountUser()
  const [open, setOpen] = useState<'name' | 'email' | 'password' | null>(null)
  if (user.isPending || user.isError) {
    const [loading, failed] = ['Loading your account', 'Your account could not be loaded']
    return <SettingNotLoaded query={user} loading={loading} failed={failed} rows={3} />
  }
  const { email = '' } = user.data
  const withPassword = hasPassword(user.data)
  const close = () => setOpen(null)
  return (
    <SettingCard>
      <SettingRow
        title={<span dir="auto">{name}</span>}
        actions={
          <>
            <Button onClick={() => setOpen('name')}>Change name</Button>
            <Button onClick={() => setOpen('email')}>Change email</Button>
          </>
        }
      >
        <EmailState user={user.data} mail={mail} />
      </SettingRow>
      <SettingRow
        title="Password"
        actions={
          <Button onClick={() => setOpen('password')}>{withPassword ? 'Change password' : 'Set a password'}</Button>
        }
      >
        {withPassword
          ? 'You log in with your email and this password.'
          : signsInWithGoogle(user.data)
            ? 'No password: you sign in with Google.'
            : 'No password.'}
      </SettingRow>
      <SecondFactorRow user={user.data} />
      <NameDialog open={open === 'name'} onClose={close} name={name ?? ''} />
      <EmailDialog open={open === 'email'} onClose={close} email={email} withPassword={withPassword} />
      <PasswordDialog open={open === 'password'} onClose={close} email={email} withPassword={withPassword} />
    </SettingCard>
  )
}
