import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { getOverview } from '@groundswell/contract/insights/overview.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { type Language, languageOf } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readCounts, readWaitingTexts } from './store.ts'

/** The languages of this many mentions are guessed. */
const MAX_READ = 3_000
const BATCH = 200

/** Where the mentions of a workspace are. `languages`: those that sentences are compared in; null: in all, or in none. */
export async function viewOverview(
  tx: Tx,
  workspaceId: string,
  languages: readonly Language[] | null,
): Promise<ReplyOf<typeof getOverview>> {
  const { emergingMentions, waiting, suggested, smallTalk, ...counts } = await readCounts(tx, workspaceId)
  const rest = Math.max(0, waiting - suggested)
  const texts = languages && rest > 0 ? await readWaitingTexts(tx, workspaceId, MAX_READ) : []
  let others = 0
  for (let at = 0; at < texts.length; at += BATCH) {
    others += texts.slice(at, at + BATCH).filter((text) => !languages?.includes(languageOf(text))).length
    await yieldToEventLoop()
  }
  const otherLanguages = texts.length === 0 ? 0 : Math.round((others / texts.length) * rest)
  return {
    ...counts,
    emerging_mentions: emergingMentions,
    suggested,
    other_languages: otherLanguages,
    alone: rest - otherLanguages,
    small_talk: smallTalk,
  }
}
