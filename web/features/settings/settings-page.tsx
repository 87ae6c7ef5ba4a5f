import { Navigate, NavLink, useParams } from 'react-router'
import { lazyExtra, lazyPart } from '../../ui/loading/lazy-part.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { sideLinkClass } from '../../ui/side-link.tsx'
import {
  AccountSection,
  hasAccounts,
  useMayEdit,
  useUserData,
  WorkspaceData,
  WorkspaceName,
} from '../accounts/index.ts'
import { usePublicConfig } from '../operations/index.ts'
import { PushAndTags } from './push-and-tags.tsx'
import { useSettingsParts } from './settings-parts.ts'

const Version = lazyExtra(async () => (await import('./version.tsx')).Version)

const HeldBanner = lazyExtra(async () => (await import('../deliveries/index.ts')).HeldBanner)

const EmbeddingSection = lazyPart(async () => (await import('./embeddings/embedding-section.tsx')).EmbeddingSection)

const LanguageModelSection = lazyPart(async () => (await import('./language-model-section.tsx')).LanguageModelSection)

const RetentionSection = lazyPart(async () => (await import('./retention-section.tsx')).RetentionSection)

const CaseConsentSection = lazyPart(async () => (await import('./case-consent-section.tsx')).CaseConsentSection)

const CustomersSection = lazyPart(async () => (await import('./customers-section.tsx')).CustomersSection)

const TimeZoneSection = lazyPart(async () => (await import('./time-zone-section.tsx')).TimeZoneSection)

const TeamSection = lazyPart(async () => (await import('./team/team-section.tsx')).TeamSection)

const ApiKeysSection = lazyPart(async () => (await import('./api-keys/api-keys-section.tsx')).ApiKeysSection)

const PostingSections = lazyPart(async () => (await import('../posts/index.ts')).PostingSections)

const ReceiversSection = lazyPart(async () => (await import('../receivers/index.ts')).ReceiversSection)

const DigestSection = lazyPart(async () => (await import('../digests/index.ts')).DigestSection)

/** /settings and the addresses below it: a part of the settings each, which saves what it holds. */
export function SettingsPage() {
  const rest = useParams()['*']
  const part = rest ? `/${rest}` : ''
  const userData = useUserData()
  const workspace = userData?.workspace
  const mayEdit = useMayEdit()
  const config = usePublicConfig()
  const hasExtras = config !== null
  const isOwner = (workspace?.role ?? 'owner') === 'owner'
  const parts = useSettingsParts()
  const isKnown = config !== undefined && userData !== null
  if (isKnown && !parts.some(({ path }) => path === part)) return <Navigate to="/settings" replace />
  return (
    <Page width="narrow" title="Settings">
      {parts.length > 1 ? (
        <nav aria-label="Settings" className="mb-4 flex flex-wrap gap-1 border-b border-line pb-3">
          {parts.map(({ path, label }) => (
            <NavLink key={path} to={`/settings${path}`} end className={sideLinkClass}>
              {label}
            </NavLink>
          ))}
        </nav>
      ) : null}
      {/* It stays while another part is shown, so that what was typed is not lost. */}
      <div hidden={part !== ''}>
        {hasExtras ? <HeldBanner className="mb-4" /> : null}
        <PushAndTags />
      </div>
      {part === '/you' && hasAccounts(config) ? <AccountSection config={config} /> : null}
      {part === '/workspace' && config ? (
        <>
          {workspace?.role === 'owner' ? (
            <Section title="Name" lead="What this workspace is called.">
              <div className="rounded-large border border-line bg-surface px-5 pb-4">
                <WorkspaceName name={workspace.name} />
              </div>
            </Section>
          ) : null}
          <CustomersSection />
          <TimeZoneSection mayChoose={isOwner} />
          {isOwner ? <RetentionSection /> : null}
          {isOwner ? <CaseConsentSection /> : null}
          {workspace?.role === 'owner' ? <WorkspaceData /> : null}
        </>
      ) : null}
      {part === '/team' && workspace ? <TeamSection workspace={workspace} /> : null}
      {part === '/notifications' && config ? (
        <>
          <DigestSection />
          {workspace && workspace.role !== 'viewer' ? <PostingSections isOwner={workspace.role === 'owner'} /> : null}
        </>
      ) : null}
      {part === '/developers' && config && mayEdit ? (
        <>
          <ApiKeysSection />
          {workspace?.role === 'owner' ? <ReceiversSection /> : null}
        </>
      ) : null}
      {part === '/server' && config ? (
        <>
          <EmbeddingSection />
          <LanguageModelSection mayChoose={isOwner} />
          <Version />
        </>
      ) : null}
    </Page>
  )
}
