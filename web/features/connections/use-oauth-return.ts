import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { toast } from '../../ui/toast-store.ts'
import { refreshUserData } from '../accounts/index.ts'
import { CallError, logFailure } from '../client/index.ts'
import { CONNECTORS, catalogueQuery } from './catalogue.ts'
import {
  finishPosting,
  type ProviderReturn,
  posterOfState,
  readReturn,
  refusalWords,
  sendCode,
  tileOfState,
} from './oauth-code.ts'
import type { ConnectorEntry } from './tiles.ts'

/**
 * Completes a provider's authorisation when the address has its code. `onFailure` gets the text that replaces the page. A code
 * is sent once, however often this runs.
 */
export function useOAuthReturn(onFailure: (text: string) => void): void {
  const [address, setAddress] = useSearchParams()
  const client = useQueryClient()
  const navigate = useNavigate()
  const parameters = address.toString()
  useEffect(() => {
    const returned = readReturn(new URLSearchParams(parameters))
    if (!returned) return
    const { code, state, query } = returned
    const poster = posterOfState(returned.state)
    if (poster !== null) {
      void completePosting(poster, returned).then(
        (done) => done && navigate('/settings/notifications', { replace: true }),
      )
      return
    }
    const clearAddress = () => setAddress({}, { replace: true })
    const complete = async () => {
      const { id, name } = await tileOfState(state, () => readEntries(client))
      if (code === null && query.error !== undefined) {
        tellFailure(name, refusalWords(query))
        clearAddress()
        return
      }
      try {
        const outcome = await sendCode(id, returned)
        if (outcome === 'sending') return
        clearAddress()
        if (outcome === 'known') {
          toast({
            title: 'Already used',
            description: `This authorization was already used. If ${name} is not connected, connect it again.`,
          })
          return
        }
        toast({ title: `${name} Connected`, description: `Your ${name} integration was successful.` })
        await Promise.all([refreshUserData(), client.invalidateQueries({ queryKey: CONNECTORS })])
      } catch (error) {
        logFailure(`${name} was not connected`)(error)
        tellFailure(name, error instanceof CallError && error.code !== undefined ? error.message : undefined)
        onFailure(`Failed to connect ${name}`)
      }
    }
    void complete()
  }, [parameters, setAddress, onFailure, client, navigate])
}

/** Completes the second sign-in. False: another run of this does so. */
async function completePosting(tile: string, returned: ProviderReturn): Promise<boolean> {
  try {
    if (returned.code === null) throw new Error(refusalWords(returned.query) ?? 'The provider sent no code back.')
    if ((await sendCode(tile, returned, finishPosting)) === 'sending') return false
    toast({ title: 'Posting is allowed', description: 'Choose a channel, or reply to people who asked.' })
  } catch (error) {
    const description = error instanceof Error ? error.message : String(error)
    toast({ title: 'Posting was not allowed', description, tone: 'destructive' })
  }
  return true
}

function tellFailure(name: string, detail: string | undefined): void {
  toast({
    title: 'Error',
    description: `Failed to connect ${name}. Please try again.`,
    detail,
    tone: 'destructive',
  })
}

async function readEntries(client: QueryClient): Promise<readonly ConnectorEntry[] | null> {
  const { failed, entries } = await client.fetchQuery({ ...catalogueQuery, staleTime: Infinity })
  return failed ? null : entries
}
