import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { toast } from '../../ui/toast-store.ts'
import { refreshUserData } from '../accounts/index.ts'
import { logFailure } from '../client/index.ts'
import { sendSlackCode } from './slack.ts'

/**
 * Finishes the chat tool's authorisation when the address brings a code back. `onFailure` gets the page's red words.
 * One code is one attempt, however often this runs.
 */
export function useSlackReturn(onFailure: (words: string) => void): void {
  const [address, setAddress] = useSearchParams()
  const code = address.get('code')
  const state = address.get('state')
  useEffect(() => {
    if (code === null) return
    sendSlackCode(code, state)
      .then((outcome) => {
        if (outcome === 'known') return
        toast({ title: 'Slack Connected', description: 'Your Slack integration was successful.' })
        setAddress({}, { replace: true })
        return refreshUserData()
      })
      .catch((error: unknown) => {
        logFailure('Slack was not connected')(error)
        toast({ title: 'Error', description: 'Failed to connect Slack. Please try again.', tone: 'destructive' })
        onFailure('Failed to connect Slack')
      })
  }, [code, state, setAddress, onFailure])
}
