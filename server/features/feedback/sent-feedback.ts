import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { shownText } from '@groundswell/connectors/kit/text/shown-text.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { isDay, otherFields, type SentItem } from '@groundswell/contract/feedback/sent-feedback.ts'
import { isBlank } from '@groundswell/contract/values/blank-text.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { addFileSource, lockConnecting, lockConnection } from '../connections/index.ts'
import type { FeedbackHooks } from './hooks.ts'
import { countSent, insertSentImport, listSent, lockSentSource, type SentSource } from './sent-store.ts'
import { storeItems } from './store.ts'

/** The name of the source, as lists show it. */
const SOURCE_NAME = 'API'

/** How many messages were new, had another text, or changed nothing. */
export type Sent = { accepted: number; changed: number; unchanged: number }

/**
 * Stores what a program sent, all or nothing, and has it grouped. When this returns, it survives a crash. Throws `invalid_input` for HTML that
 * shows no text.
 */
export async function storeSent(
  services: Pick<Services, 'db' | 'now'>,
  workspaceId: string,
  items: readonly SentItem[],
  hooks: Pick<FeedbackHooks, 'stored'>,
): Promise<Sent> {
  const texts = shownTexts(items)
  return inWorkspace(services.db, workspaceId, async (tx) => {
    const at = services.now()
    const source = await sourceOf(tx, workspaceId, at)
    await lockConnection(tx, workspaceId, source.connectionId)
    const { added, changed, firstId, lastId } = await storeItems(
      tx,
      workspaceId,
      source.connectionId,
      items.map((item, index) => feedbackOf(item, texts[index] ?? '', at)),
    )
    if (firstId !== null && lastId !== null) await listSent(tx, workspaceId, source, { firstId, lastId })
    const known = items.length - added - changed.length
    if (added > 0 || changed.length > 0) {
      await countSent(tx, workspaceId, source.importId, { added, changed: changed.length, known, firstId, lastId, at })
      await hooks.stored(tx, workspaceId)
    }
    return { accepted: added, changed: changed.length, unchanged: known }
  })
}

/** The source, created with the first message, and again after it was deleted. Calls of one workspace wait for each other here. */
async function sourceOf(tx: Tx, workspaceId: string, at: Date): Promise<SentSource> {
  await lockConnecting(tx, workspaceId)
  const found = await lockSentSource(tx, workspaceId)
  if (found) return found
  const { id: connectionId } = await addFileSource(tx, workspaceId, SOURCE_NAME)
  return { connectionId, importId: await insertSentImport(tx, workspaceId, connectionId, at) }
}

const KINDS = { 'text/html': 'html', 'text/plain': 'plain' } as const

/** The texts as their readers saw them. */
function shownTexts(items: readonly SentItem[]): string[] {
  const texts = items.map(({ text, content_type: type }) => shownText(text, type === undefined ? null : KINDS[type]))
  const empty = texts.flatMap((text, index) => (isBlank(text) ? [`items.${index}.text`] : []))
  const [first] = empty
  if (first === undefined) return texts
  const reason = 'must not be empty'
  throw new ContractError(
    'invalid_input',
    `${first}: ${reason}`,
    Object.fromEntries(empty.map((path) => [path, reason])),
  )
}

function feedbackOf(item: SentItem, text: string, at: Date): FeedbackItem {
  const { id, author = null, date, link = null, place = null, attributes = {} } = item
  return {
    externalId: String(id),
    text,
    ...(text === item.text ? {} : { original: item.text }),
    author,
    at: date ? new Date(date) : at,
    ...(date ? {} : { dateKnown: false }),
    ...(date && isDay(date) ? { dateOnly: true } : {}),
    link,
    thread: null,
    place,
    attributes: { ...attributes, ...otherFields(item) },
  }
}
