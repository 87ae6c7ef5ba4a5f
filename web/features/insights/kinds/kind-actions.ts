import type { FeedbackKind } from '@groundswell/contract/feedback-kind.ts'
import { setFeedbackKind } from '@groundswell/contract/kinds.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { INSIGHTS } from '../insight-queries.ts'
import { DETAIL } from '../panel/detail-query.ts'
import { EVIDENCE } from '../panel/evidence-query.ts'
import { UNGROUPED } from '../ungrouped/ungrouped-query.ts'
import { wordsOfKind } from './kind-words.ts'

/** Sets the kind of a mention (null: as the engine decides) and shows a toast with an undo. Never throws. */
export async function setKind(client: QueryClient, mention: string, kind: FeedbackKind | null): Promise<void> {
  await attempt(client, 'The kind was not changed', async () => {
    const { before, kind: now } = await call(setFeedbackKind, { body: { mention, kind } })
    toast({
      title: now === null ? 'Its kind is unknown' : `Marked as ${wordsOfKind(now).marked}`,
      description:
        kind === null
          ? 'Its kind is decided automatically again.'
          : 'Later feedback in nearly the same words will be too.',
      action: {
        label: 'Undo',
        run: () => void undo(client, mention, before.set_by === 'person' ? before.kind : null),
      },
    })
  })
}

async function undo(client: QueryClient, mention: string, kind: FeedbackKind | null): Promise<void> {
  await attempt(client, 'Undo failed', async () => {
    await call(setFeedbackKind, { body: { mention, kind } })
    toast({ title: 'Undone' })
  })
}

/** Afterwards refetches what shows kinds. The mention joins an insight, or leaves it, with the next grouping, which the list polls for. */
async function attempt(client: QueryClient, failed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast({ title: failed, description: error instanceof Error ? error.message : String(error), tone: 'destructive' })
  }
  const shown = [[EVIDENCE], [UNGROUPED], [DETAIL], INSIGHTS]
  await Promise.all(shown.map((queryKey) => client.invalidateQueries({ queryKey })))
}
