import { dismissEmerging, type EmergingInsight, restoreEmerging } from '@groundswell/contract/insights/emerging.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { attempt } from '../actions/attempt.ts'
import { EMERGING } from './emerging-query.ts'

const SHOWN = [[EMERGING]]

/** Dismisses one emerging insight, which can be restored from the toast, and refetches the list. Never throws. */
export async function dismiss(client: QueryClient, { emerging_id, name }: EmergingInsight): Promise<void> {
  await attempt(client, 'Not dismissed', SHOWN, async () => {
    await call(dismissEmerging, { params: { emerging_id } })
    toast({
      title: 'Dismissed',
      description: name,
      action: { label: 'Undo', run: () => void restore(client, emerging_id) },
    })
  })
}

async function restore(client: QueryClient, emerging_id: number): Promise<void> {
  await attempt(client, 'Undo failed', SHOWN, async () => {
    await call(restoreEmerging, { params: { emerging_id } })
    toast({ title: 'Undone' })
  })
}
