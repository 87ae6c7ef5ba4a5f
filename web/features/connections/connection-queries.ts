import {
  addConnection,
  cancelSync,
  disconnect,
  getSigningSecret,
  listConnectors,
  rotateSigningSecret,
  testConnection,
  updateConnection,
} from '@groundswell/contract/connections.ts'
import { getApp, getChoices, saveChoices, startSync } from '@groundswell/contract/sources.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { POLL_INTERVAL_MS, PROGRESS_POLL_MS } from '../../ui/constants.ts'
import { toast } from '../../ui/toast-store.ts'
import { CallError, call, logOddity } from '../client/index.ts'
import type { ConnectorEntry } from './tile-state.ts'

export const CONNECTORS = ['connectors'] as const

/** `known`: the server has the call. `failed`: it could not answer it now. */
type Connectors = { known: boolean; failed?: true; entries: readonly ConnectorEntry[] }

/** Every connector with its connection; an empty list on a server without that call. Asked for each second during a sync. */
export function useConnectors() {
  return useQuery({
    queryKey: CONNECTORS,
    queryFn: async (): Promise<Connectors> => {
      try {
        return { known: true, entries: (await call(listConnectors, {})).connectors }
      } catch (error) {
        if (error instanceof CallError && error.status === 404) return { known: false, entries: [] }
        logOddity('No list of connectors', error)
        return { known: false, failed: true, entries: [] }
      }
    },
    refetchInterval: ({ state }) =>
      state.data?.entries.some(({ connection }) => connection?.status === 'syncing')
        ? PROGRESS_POLL_MS
        : POLL_INTERVAL_MS,
  })
}

/** The calls behind a tile. What their failures look like is the page's matter. */
export const tileCalls = {
  add: (tile: string, body: Record<string, unknown>) => call(addConnection, { params: { tile }, body }),
  test: (tile: string) => call(testConnection, { params: { tile } }),
  disconnect: (tile: string) => call(disconnect, { params: { tile } }),
  sync: (tile: string) => call(startSync, { params: { tile } }),
  cancel: (tile: string) => call(cancelSync, { params: { tile } }),
}

/** Changes how a connection behaves. */
export function useUpdateConnection(tile: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { push_automatically?: boolean; paused?: false }) =>
      call(updateConnection, { params: { tile }, body }),
    onError: (error) => toast({ title: 'Not changed', description: error.message, tone: 'destructive' }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: CONNECTORS }),
        client.invalidateQueries({ queryKey: ['held'] }),
      ]),
  })
}

/** A destination's signing secret: fetched only once asked for, and kept no longer than it is shown. */
export function useSigningSecret(tile: string) {
  const client = useQueryClient()
  const key = ['signing-secret', tile]
  const secret = useQuery({
    queryKey: key,
    queryFn: async () => (await call(getSigningSecret, { params: { tile } })).secret,
    enabled: false,
    gcTime: 0,
  })
  const rotate = useMutation({
    mutationFn: () => call(rotateSigningSecret, { params: { tile } }),
    onSuccess: ({ secret: next }) => {
      client.setQueryData(key, next)
      toast({ title: 'New signing secret', description: 'The old one stays valid for a day.' })
    },
    onError: (error) => toast({ title: 'Not changed', description: error.message, tone: 'destructive' }),
  })
  return { secret, rotate }
}

/** How the workspace's own app at a provider is set up. */
export function useProviderApp(tile: string) {
  return useQuery({ queryKey: ['provider-app', tile], queryFn: () => call(getApp, { params: { tile } }), gcTime: 0 })
}

/** Begins a sync now. */
export function useStartSync(tile: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(startSync, { params: { tile } }),
    onError: (error) => toast({ title: 'Error', description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: CONNECTORS }),
  })
}

/** What there is to choose from: asked of the provider only once somebody wants to see it. */
export function useChoices(tile: string) {
  const client = useQueryClient()
  const choices = useQuery({
    queryKey: ['choices', tile],
    queryFn: async () => (await call(getChoices, { params: { tile } })).choices,
    enabled: false,
    gcTime: 0,
    retry: false,
  })
  const save = useMutation({
    mutationFn: (body: Record<string, string[]>) => call(saveChoices, { params: { tile }, body }),
    onSuccess: ({ message }) => toast({ title: 'Saved', description: message }),
    onError: (error) => toast({ title: 'Save failed', description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: CONNECTORS }),
  })
  return { choices, save }
}
