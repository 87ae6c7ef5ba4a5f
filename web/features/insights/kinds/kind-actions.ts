import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { setFeedbackKind } from '@groundswell/contract/insights/kinds.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { attempt } from '../actions/attempt.ts'
import { INSIGHTS } from '../insight-queries.ts'
import { DETAIL } from '../panel/detail-query.ts'
import { EVIDENCE } from '../panel/evidence-query.ts'
import { UNGROUPED } from '../ungrouped/ungrouped-query.ts'
import { wordsOfKind } from './kind-words.ts'

/** What shows kinds. A mention joins an insight, or leaves it, with the next grouping, which the list polls for. */
const SHOWN = [[EVIDENCE], [UNGROUPED], [DETAIL], INSIGHTS]

/** Sets the kind of a mention (null: as the engine decides) and shows a toast with an undo. Never throws. */
export async function setKind(client: QueryClient, mention: string, kind: FeedbackKind | null): Promise<void> {
  await attempt(client, 'The kind was not changed', SHOWN, async () => {
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
  await attempt(client, 'Undo failed', SHOWN, async () => {
    await call(setFeedbackKind, { body: { mention, kind } })
    toast({ title: 'Undone' })
  })
}
