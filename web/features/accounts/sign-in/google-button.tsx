import type { PublicConfig } from '@groundswell/contract/operations.ts'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { apiHost, readPublicConfig } from '../../client/index.ts'
import { noteGoogleStart } from '../started-here.ts'

/** The backend's URL that starts a Google sign-in which returns to our callback. */
export function googleSignInAddress(backend: string, origin: string): string {
  const back = encodeURIComponent(`${origin}/api/auth/oauth-callback`)
  return `${backend}/auth/v1/authorize?provider=google&redirect_to=${back}`
}

type HostedAuth = NonNullable<PublicConfig['hosted_auth']>

/** Why sign-in with Google is not available at a hosted project; null when it is. */
async function hostedRefusal({ url, key }: HostedAuth): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key } })
    const { external } = (await answer.json()) as { external: { google: boolean } }
    return external.google ? null : NOT_ALLOWED
  } catch {
    return 'The sign-in service cannot be reached. Try again in a moment.'
  }
}

const NOT_SET_UP =
  'Google sign-in is not set up on this server: its operator sets GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. Use your email and password instead.'
/** The same at a hosted project, which has its own settings. */
const NOT_ALLOWED =
  'Google sign-in is not set up on this server: its operator turns on Google in the settings of the sign-in service. Use your email and password instead.'

/** 'Sign in with Google'; where Google is not set up it explains that. */
export function GoogleButton({ config }: { config: PublicConfig | null | undefined }) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const signIn = async () => {
    setBusy(true)
    // A click may precede the configuration.
    const known = config === undefined ? await readPublicConfig().catch(() => null) : config
    const built = import.meta.env.VITE_SUPABASE_URL
    const hosted = known?.hosted_auth
    const available = known?.google === true || (known === null && Boolean(built))
    const reason = hosted ? await hostedRefusal(hosted) : available ? null : NOT_SET_UP
    // Enabled again even when the page is left: the browser may restore it from its cache.
    setBusy(false)
    setRefused(reason)
    if (reason !== null) return
    noteGoogleStart()
    location.assign(googleSignInAddress(hosted?.url ?? built ?? apiHost(), location.origin))
  }
  return (
    <>
      <Button className="h-9 w-full" busy={busy} onClick={() => void signIn()}>
        <svg width="16" height="16" viewBox="0 0 24 24" fill="currentColor" aria-hidden>
          <path d="M12.48 10.92v3.28h7.84c-.24 1.84-.853 3.187-1.787 4.133-1.147 1.147-2.933 2.4-6.053 2.4-4.827 0-8.6-3.893-8.6-8.72s3.773-8.72 8.6-8.72c2.6 0 4.507 1.027 5.907 2.347l2.307-2.307C18.747 1.44 16.133 0 12.48 0 5.867 0 .307 5.387.307 12s5.56 12 12.173 12c3.573 0 6.267-1.173 8.373-3.36 2.16-2.16 2.84-5.213 2.84-7.667 0-.76-.053-1.467-.173-2.053H12.48z" />
        </svg>
        Sign in with Google
      </Button>
      {refused ? (
        <p role="status" className="mt-2 text-small text-muted">
          {refused}
        </p>
      ) : null}
    </>
  )
}
