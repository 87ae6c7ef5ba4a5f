import type { TileName } from '@groundswell/contract/tiles.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../ui/toast-store.ts'
import { CallError, logFailure } from '../client/index.ts'
import { CONNECTORS, tileCalls } from './connection-queries.ts'

/** The name a tile has in the messages of the catalogue. */
function spoken(tile: TileName, name: string): string {
  return tile === 'webhook' ? 'webhook' : name
}

function fail(description: string, error: unknown): void {
  logFailure(description)(error)
  const detail = error instanceof CallError && error.code !== undefined ? error.message : undefined
  toast({ title: 'Error', description, detail, tone: 'destructive' })
}

/** Another maker's server, which has no such call: ours names each refusal. */
function hasNoSuchCall(error: unknown): boolean {
  return error instanceof CallError && error.status === 404 && error.code === undefined
}

/** Test, disconnect, cancel and add, with the messages of the catalogue. `onFailure` gets the red words for the page. */
export function useTileCalls(onFailure: (words: string) => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<TileName | null>(null)

  async function during(tile: TileName, work: () => Promise<void>) {
    setBusy(tile)
    try {
      await work()
    } finally {
      setBusy(null)
    }
  }

  return {
    busy,
    test: (tile: TileName, name: string, source: boolean) =>
      during(tile, async () => {
        try {
          const reply: { message?: string; status?: number | null; answer?: string | null } | undefined =
            await tileCalls.test(tile)
          const answered = [reply?.status, reply?.answer].filter(
            (part) => part !== null && part !== undefined && part !== '',
          )
          toast({
            title: `${name} Test`,
            description: source ? (reply?.message ?? 'Connection works.') : 'Example data pushed successfully.',
            detail: answered.length > 0 ? `${source ? '' : 'Answer: '}${answered.join(' · ')}` : undefined,
          })
        } catch (error) {
          if (tile !== 'webhook' && hasNoSuchCall(error)) {
            toast({ title: `${name} Test`, description: `This server has no test for ${name}.` })
            return
          }
          const words = source ? `Failed to test ${name}` : 'Failed to push example data'
          fail(`${words}. Please try again.`, error)
        } finally {
          // Its tile shows what came of it.
          void client.invalidateQueries({ queryKey: CONNECTORS })
        }
      }),
    disconnect: (tile: TileName, name: string) =>
      during(tile, async () => {
        try {
          await tileCalls.disconnect(tile)
          location.reload()
        } catch (error) {
          const words = `Failed to disconnect ${spoken(tile, name)}`
          fail(`${words}. Please try again.`, error)
          onFailure(words)
        }
      }),
    sync: (tile: TileName) =>
      during(tile, async () => {
        try {
          await tileCalls.sync(tile)
        } catch (error) {
          fail('Failed to start the sync. Please try again.', error)
        }
        await client.invalidateQueries({ queryKey: CONNECTORS })
      }),
    cancel: (tile: TileName) =>
      during(tile, async () => {
        try {
          await tileCalls.cancel(tile)
          toast({
            title: 'Sync stopped',
            description: 'Messages read so far are kept. The next sync resumes from there.',
          })
        } catch (error) {
          fail('Failed to stop the sync. Please try again.', error)
        }
        await client.invalidateQueries({ queryKey: CONNECTORS })
      }),
    /** Rejects again after its toast, so that the form can show the fields at fault. */
    add: async (tile: TileName, name: string, values: Record<string, unknown>) => {
      try {
        await tileCalls.add(tile, values)
      } catch (error) {
        logFailure('Not connected')(error)
        toast({
          title: 'Error',
          description: `Failed to add ${spoken(tile, name)}. Please try again.`,
          tone: 'destructive',
        })
        throw error
      }
    },
  }
}
