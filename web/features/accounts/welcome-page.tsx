import { Eye, type LucideIcon, Plug, Upload } from 'lucide-react'
import { Link } from 'react-router'
import { usePublicConfig } from '../operations/index.ts'
import { AuthScreen } from './auth-screen.tsx'
import { WorkspaceName } from './settings/workspace-name.tsx'
import { useUserData } from './user-store.ts'

const choiceClass = 'flex gap-3 rounded border border-line px-4 py-3 hover:border-accent hover:bg-hover'

/**
 * /signup/welcome: our own onboarding page, where a person chooses how to begin. Connecting a source leads to `/` with a full page load, so that the
 * referrer names this page.
 */
export function WelcomePage() {
  const hasImports = Boolean(usePublicConfig())
  const workspace = useUserData()?.workspace
  return (
    <AuthScreen title="Welcome to Groundswell">
      <p className="text-muted">
        Messages about the same thing become one insight, with every quote behind it. Once enough people have said it,
        it is pushed to your destination.
      </p>
      {workspace?.role === 'owner' ? <WorkspaceName name={workspace.name} /> : null}
      <h2 className="mt-6 font-semibold">How do you want to begin?</h2>
      <ul className="mt-2 flex flex-col gap-2">
        {hasImports ? (
          <li>
            <Link to="/import" className={choiceClass}>
              <Choice Icon={Upload} title="Import a file" text="A table or an export of messages: CSV, Excel, JSON." />
            </Link>
          </li>
        ) : null}
        <li>
          <a href="/" className={choiceClass}>
            <Choice Icon={Plug} title="Connect a source" text="Your team chat or support desk, read continuously." />
          </a>
        </li>
        {hasImports ? (
          <li>
            <Link to="/import?sample=1" className={choiceClass}>
              <Choice
                Icon={Eye}
                title="Look at sample feedback"
                text="What customers of a made-up company say. Its import can be undone."
              />
            </Link>
          </li>
        ) : null}
      </ul>
      <p className="mt-5 text-center">
        <Link to="/insights" className="rounded-small text-muted hover:text-text">
          Skip for now
        </Link>
      </p>
    </AuthScreen>
  )
}

function Choice({ Icon, title, text }: { Icon: LucideIcon; title: string; text: string }) {
  return (
    <>
      <Icon size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
      <span>
        <span className="block font-medium">{title}</span>
        <span className="block text-small text-muted">{text}</span>
      </span>
    </>
  )
}
