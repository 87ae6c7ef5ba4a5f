import { getUserData } from '@groundswell/contract/accounts.ts'
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { callAddress, callHeaders, freshToken, readToken, type SignIn } from '../../client/index.ts'
import { AuthScreen, LoadingScreen } from '../auth-screen.tsx'
import { endSignInOf } from '../session.ts'
import { clearUserData, useUserData } from '../user-store.ts'

type SwitchStepProps = { signIn: SignIn; email: string | null; onSwitch: () => void }

/** Asks whether to replace this browser's session with that of another account. Until it is answered, the current one stays. */
export function SwitchStep({ signIn, email, onSwitch }: SwitchStepProps) {
  const current = useUserData()?.email ?? null
  const [isAlive, setAlive] = useState<boolean>()
  useEffect(() => {
    void isSignedIn().then(setAlive)
  }, [])
  const replace = () => {
    clearUserData()
    onSwitch()
  }
  useEffect(() => {
    // The previous session has ended: there is nothing to keep.
    if (isAlive === false) replace()
  })
  if (isAlive !== true) return <LoadingScreen />
  const leaveAndReplace = () => {
    endSignInOf(readToken())
    replace()
  }
  const keep = () => {
    endSignInOf(signIn.token)
    location.replace('/insights')
  }
  return (
    <AuthScreen title={email === null ? 'Switch to the other account?' : `Switch to ${email}?`}>
      <p className="text-muted">
        You are signed in{' '}
        {current === null ? null : (
          <>
            as <b className="break-words text-text">{current}</b>
          </>
        )}
        . This link signs in to another account, and the sign-in did not start in this browser. If you did not expect
        that, keep the account you have.
      </p>
      <div className="mt-5 flex flex-col gap-2">
        <Button look="primary" className="h-9 w-full" onClick={keep} autoFocus>
          Keep {current ?? 'this account'}
        </Button>
        <Button className="h-9 w-full" onClick={leaveAndReplace}>
          Switch
        </Button>
      </div>
    </AuthScreen>
  )
}

/** Whether the stored token is still valid. Not through `call`, which redirects to the login when it is not. */
async function isSignedIn(): Promise<boolean> {
  try {
    const token = await freshToken()
    if (token === null) return false
    const { status } = await fetch(callAddress(getUserData), { headers: callHeaders(token) })
    return status !== 401
  } catch {
    // No reply: the stored token may still be valid.
    return readToken() !== null
  }
}
