import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { toast } from '../../ui/toast-store.ts'
import { refreshUserData } from '../accounts/index.ts'
import { CallError, logFailure } from '../client/index.ts'
import { CONNECTORS } from './connection-queries.ts'
import { sendCode, tileOfState } from './oauth-code.ts'

/**
 * Finishes a provider's authorisation when the address brings a code back. `onFailure` gets the page's red words. One code is
 * one attempt, however often this runs.
 */
export function useOAuthReturn(onFailure: (words: string) => void): void {
  const [address, setAddress] = useSearchParams()
  const client = useQueryClient()
  const code = address.get('code')
  const state = address.get('state')
  const refused = address.get('error')
  useEffect(() => {
    const { name } = tileOfState(state)
    const fail = (detail?: string) =>
      toast({
        title: 'Error',
        description: `Failed to connect ${name}. Please try again.`,
        detail,
        tone: 'destructive',
      })
    if (code === null) {
      if (refused === null) return
      fail(refused === 'access_denied' ? 'Access was denied on the consent page.' : undefined)
      setAddress({}, { replace: true })
      return
    }
    sendCode(code, state)
      .then((outcome) => {
        if (outcome === 'sending') return
        setAddress({}, { replace: true })
        if (outcome === 'known') {
          toast({
            title: 'Already used',
            description: `This authorization was already used. If ${name} is not connected, connect it again.`,
          })
          return
        }
        toast({ title: `${name} Connected`, description: `Your ${name} integration was successful.` })
        return Promise.all([refreshUserData(), client.invalidateQueries({ queryKey: CONNECTORS })])
      })
      .catch((error: unknown) => {
        logFailure(`${name} was not connected`)(error)
        fail(error instanceof CallError && error.code !== undefined ? error.message : undefined)
        onFailure(`Failed to connect ${name}`)
      })
  }, [code, state, refused, setAddress, onFailure, client])
}
