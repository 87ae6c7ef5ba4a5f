import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../ui/toast-store.ts'
import { CallError, logFailure } from '../client/index.ts'
import { CONNECTORS } from './catalogue.ts'
import { tileCalls } from './connection-queries.ts'
import { failureWords, successWords } from './test-words.ts'
import type { Tile } from './tiles.ts'

/** The name of a tile within a sentence. */
function inSentence({ name, spec }: Tile): string {
  return spec?.inSentence ?? name
}

function fail(description: string, error: unknown): void {
  logFailure(description)(error)
  const detail = error instanceof CallError && error.code !== undefined ? error.message : undefined
  toast({ title: 'Error', description, detail, tone: 'destructive' })
}

/** True for a server that does not have the call: ours sends a code with each refusal. */
function hasNoSuchCall(error: unknown): boolean {
  return error instanceof CallError && error.status === 404 && error.code === undefined
}

/** Test, disconnect, sync, cancel and add with their messages. `onFailure` gets the text that replaces the page. */
export function useTileCalls(onFailure: (text: string) => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)

  async function during({ id }: Tile, work: () => Promise<void>) {
    setBusy(id)
    try {
      await work()
    } finally {
      setBusy(null)
    }
  }

  return {
    busy,
    test: (tile: Tile) =>
      during(tile, async () => {
        const { name } = tile
        try {
          toast({ title: `${name} Test`, ...successWords(tile, await tileCalls.test(tile.id)) })
        } catch (error) {
          if (!tile.spec?.hasTest && hasNoSuchCall(error)) {
            toast({ title: `${name} Test`, description: `This server has no test for ${name}.` })
            return
          }
          fail(failureWords(tile), error)
        } finally {
          // The tile shows the result.
          void client.invalidateQueries({ queryKey: CONNECTORS })
        }
      }),
    disconnect: (tile: Tile) =>
      during(tile, async () => {
        try {
          await tileCalls.disconnect(tile.id)
          location.reload()
        } catch (error) {
          const failure = `Failed to disconnect ${inSentence(tile)}`
          fail(`${failure}. Please try again.`, error)
          onFailure(failure)
        }
      }),
    sync: (tile: Tile) =>
      during(tile, async () => {
        try {
          await tileCalls.sync(tile.id)
        } catch (error) {
          fail('Failed to start the sync. Please try again.', error)
        }
        await client.invalidateQueries({ queryKey: CONNECTORS })
      }),
    cancel: (tile: Tile) =>
      during(tile, async () => {
        try {
          await tileCalls.cancel(tile.id)
          toast({
            title: 'Sync stopped',
            description: 'Messages read so far are kept. The next sync resumes from there.',
          })
        } catch (error) {
          fail('Failed to stop the sync. Please try again.', error)
        }
        await client.invalidateQueries({ queryKey: CONNECTORS })
      }),
    /** Shows a toast and rethrows, so that the form can mark the invalid fields. */
    add: async (tile: Tile, values: Record<string, unknown>) => {
      try {
        await tileCalls.add(tile.id, values)
      } catch (error) {
        logFailure('Not connected')(error)
        toast({
          title: 'Error',
          description: `Failed to add ${inSentence(tile)}. Please try again.`,
          tone: 'destructive',
        })
        throw error
      }
    },
  }
}
