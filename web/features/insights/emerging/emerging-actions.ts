import { dismissEmerging, type EmergingInsight, restoreEmerging } from '@groundswell/contract/emerging.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { EMERGING } from './emerging-query.ts'

/** Dismisses one emerging insight, which can be restored from the toast, and refetches the list. Never throws. */
export async function dismiss(client: QueryClient, { emerging_id, name }: EmergingInsight): Promise<void> {
  await attempt(client, 'Not dismissed', async () => {
    await call(dismissEmerging, { params: { emerging_id } })
    toast({
      title: 'Dismissed',
      description: name,
      action: { label: 'Undo', run: () => void restore(client, emerging_id) },
    })
  })
}

async function restore(client: QueryClient, emerging_id: number): Promise<void> {
  await attempt(client, 'Undo failed', async () => {
    await call(restoreEmerging, { params: { emerging_id } })
    toast({ title: 'Undone' })
  })
}

async function attempt(client: QueryClient, failed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast({ title: failed, description: error instanceof Error ? error.message : String(error), tone: 'destructive' })
  }
  await client.invalidateQueries({ queryKey: [EMERGING] })
}
