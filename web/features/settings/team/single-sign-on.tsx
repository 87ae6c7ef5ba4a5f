import {
  getSingleSignOn,
  linkSingleSignOn,
  removeSingleSignOn,
  switchSingleSignOn,
  testSingleSignOn,
} from '@groundswell/contract/accounts/single-sign-on.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlays/dialog.tsx'
import { Section } from '../../../ui/page.tsx'
import { SettingCard, SettingRow } from '../../../ui/setting-row.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { copyText } from '../../../ui/text/copy-text.ts'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { dayOf } from './role-words.ts'
import { SsoDialog } from './sso-dialog.tsx'

const SSO = ['single-sign-on']

type SingleSignOnState = ReplyOf<typeof getSingleSignOn>
type State = { enabled: boolean; required: boolean }
type Asked = 'edit' | 'remove' | 'require' | 'off' | null

/** Single sign-on of the workspace: for owners its provider, a test and the switches; for everyone else linking their account. */
export function SingleSignOn({ isOwner }: { isOwner: boolean }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>(null)
  const sso = useQuery({ queryKey: SSO, queryFn: () => call(getSingleSignOn, {}), retry: false })
  const settle = {
    onError: (error: Error) => toast({ title: 'Not done', description: error.message, tone: 'destructive' }),
    onSettled: () => {
      setAsked(null)
      return client.invalidateQueries({ queryKey: SSO })
    },
  }
  const set = useMutation({ mutationFn: (body: State) => call(switchSingleSignOn, { body }), ...settle })
  const remove = useMutation({ mutationFn: () => call(removeSingleSignOn, {}), ...settle })
  const leave = useMutation({
    mutationFn: (to: typeof testSingleSignOn | typeof linkSingleSignOn) => call(to, {}),
    onSuccess: ({ url }) => location.assign(url),
    onError: settle.onError,
  })
  if (!sso.data?.available || (!isOwner && !sso.data.enabled)) return null
  const { enabled, linked, settings, sign_in_link: link, redirect_uri: redirectUri } = sso.data
  return (
    <Section
      title="Single sign-on"
      lead="People in the workspace sign in at your identity provider, with OpenID Connect."
    >
      <SettingCard>
        {isOwner ? (
          <SettingRow
            title="Identity provider"
            actions={
              <>
                <Button onClick={() => setAsked('edit')}>{settings ? 'Change…' : 'Configure…'}</Button>
                {settings ? <Button onClick={() => setAsked('remove')}>Remove…</Button> : null}
              </>
            }
          >
            {settings?.issuer ??
              'Keycloak, Entra ID, Okta, Google Workspace, or any other that supports OpenID Connect.'}
          </SettingRow>
        ) : null}
        {settings ? (
          <ProviderRows
            sso={sso.data}
            settings={settings}
            testing={leave.isPending}
            setting={set.isPending}
            onTest={() => leave.mutate(testSingleSignOn)}
            onSet={set.mutate}
            onAsk={setAsked}
          />
        ) : null}
        {enabled ? (
          <LinkRows
            link={link}
            linked={linked}
            linking={leave.isPending}
            onLink={() => leave.mutate(linkSingleSignOn)}
          />
        ) : null}
      </SettingCard>
      {asked === 'edit' ? (
        <SsoDialog
          settings={settings}
          redirectUri={redirectUri}
          onClose={() => setAsked(null)}
          onSaved={() => {
            toast({ title: 'Saved', description: 'Test the sign-in next.' })
            void settle.onSettled()
          }}
        />
      ) : null}
      <Confirm
        open={asked === 'require'}
        onOpenChange={(open) => open || setAsked(null)}
        title="Require single sign-on?"
        question="Members and viewers who signed in another way must sign in at the identity provider to continue here. Their other workspaces are not affected."
        action="Require it"
        refuse="Cancel"
        busy={set.isPending}
        onConfirm={() => set.mutate({ enabled: true, required: true })}
      />
      <Confirm
        open={asked === 'off' || asked === 'remove'}
        onOpenChange={(open) => open || setAsked(null)}
        title={asked === 'remove' ? 'Remove the identity provider?' : 'Turn single sign-on off?'}
        question="Everyone who signed in through it is logged out, and it is no longer required. People without a password cannot log in until they set one with “Forgot your password?”."
        action={asked === 'remove' ? 'Remove' : 'Turn off'}
        busy={set.isPending || remove.isPending}
        onConfirm={() => (asked === 'remove' ? remove.mutate() : set.mutate({ enabled: false, required: false }))}
      />
    </Section>
  )
}

type ProviderRowsProps = {
  sso: SingleSignOnState
  settings: NonNullable<SingleSignOnState['settings']>
  testing: boolean
  setting: boolean
  onTest: () => void
  onSet: (state: State) => void
  onAsk: (asked: Asked) => void
}

/** The test of the identity provider, and what signing in through it is allowed or required for. */
function ProviderRows({ sso, settings, testing, setting, onTest, onSet, onAsk }: ProviderRowsProps) {
  const { enabled, required } = sso
  const mayTurnOn = enabled || settings.tested_at !== null
  return (
    <>
      <SettingRow
        title="Test"
        actions={
          <Button busy={testing} onClick={onTest}>
            Test sign-in
          </Button>
        }
      >
        {settings.tested_at === null
          ? 'Not tested yet. A test signs nobody in, and must succeed before you can turn on single sign-on.'
          : `Succeeded on ${dayOf(settings.tested_at)}.`}
      </SettingRow>
      <div className="flex flex-col gap-4 border-b border-line px-5 py-4 last:border-0">
        <Switch
          label="Allow single sign-on"
          help={joinersOf(settings.domains, settings.default_role)}
          checked={enabled}
          disabled={!mayTurnOn || setting}
          onChange={(on) => (on ? onSet({ enabled: on, required: false }) : onAsk('off'))}
        />
        <Switch
          label="Require single sign-on"
          help="Members and viewers can access this workspace only through single sign-on. Owners can still log in with a password, so that nobody is locked out, and API keys keep working."
          checked={required}
          disabled={!enabled || setting}
          onChange={(on) => (on ? onAsk('require') : onSet({ enabled, required: on }))}
        />
      </div>
    </>
  )
}

type LinkRowsProps = { link: string; linked: boolean; linking: boolean; onLink: () => void }

/** The address to sign in at, and whether one's own account is linked. */
function LinkRows({ link, linked, linking, onLink }: LinkRowsProps) {
  return (
    <>
      <SettingRow
        title="Sign-in link"
        actions={
          <Button onClick={() => void copyText(link, 'The link')}>
            <Copy size={14} aria-hidden /> Copy
          </Button>
        }
      >
        {link}
      </SettingRow>
      <SettingRow
        title="Your account"
        actions={
          linked ? null : (
            <Button busy={linking} onClick={onLink}>
              Link
            </Button>
          )
        }
      >
        {linked
          ? 'Linked to the identity provider.'
          : 'Link it to the identity provider to sign in with single sign-on.'}
      </SettingRow>
    </>
  )
}

function joinersOf(domains: readonly string[], role: string): string {
  if (domains.length === 0) return 'People in the workspace can link their accounts. Nobody new can join.'
  return `People with an e-mail address at ${domains.join(', ')} join as ${role}s. People in the workspace can link their accounts.`
}
