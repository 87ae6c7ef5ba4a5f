import { buttonClass } from '../../ui/button.tsx'
import { AuthScreen } from './auth-screen.tsx'

const STEPS = [
  ['Bring feedback in', 'Connect a source, or import a file of messages.'],
  ['See what recurs', 'Messages about the same thing become one insight, with every quote behind it.'],
  ['Push insights', 'Once enough people have said it, it is pushed to your destination automatically.'],
] as const

/** /signup/welcome: our own onboarding page. It leads to `/` with a full page load, so that the referrer names this page. */
export function WelcomePage() {
  return (
    <AuthScreen title="Welcome to Groundswell">
      <ol className="flex flex-col gap-4">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden
              className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-small font-semibold text-accent-strong"
            >
              {index + 1}
            </span>
            <div>
              <p className="font-medium">{title}</p>
              <p className="text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <a href="/" className={buttonClass('primary', 'mt-6 h-9 w-full')}>
        Get started
      </a>
    </AuthScreen>
  )
}
