import {
  addConnection,
  cancelSync,
  disconnect,
  getSigningSecret,
  rotateSigningSecret,
  testConnection,
  updateConnection,
} from '@groundswell/contract/connections.ts'
import { getApp, startSync } from '@groundswell/contract/sources.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { POLL_INTERVAL_MS, PROGRESS_POLL_MS } from '../../ui/constants.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { CONNECTORS, catalogueQuery } from './catalogue.ts'

/** The catalogue with the connections as they are now; fetched every second during a sync. */
export function useConnectors() {
  return useQuery({
    ...catalogueQuery,
    refetchInterval: ({ state }) =>
      state.data?.entries.some(({ connection }) => connection?.status === 'syncing')
        ? PROGRESS_POLL_MS
        : POLL_INTERVAL_MS,
  })
}

/** The calls behind a tile. The page shows their failures. */
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
    mutationFn: (body: { push_automatically?: boolean; reopen_items?: boolean; paused?: false }) =>
      call(updateConnection, { params: { tile }, body }),
    onError: (error) => toast({ title: 'Not changed', description: error.message, tone: 'destructive' }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: CONNECTORS }),
        client.invalidateQueries({ queryKey: ['held'] }),
      ]),
  })
}

/** A destination's signing secret: fetched on request only, and discarded once it is no longer shown. */
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

/** Starts a sync now. */
export function useStartSync(tile: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(startSync, { params: { tile } }),
    onError: (error) => toast({ title: 'Error', description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: CONNECTORS }),
  })
}
