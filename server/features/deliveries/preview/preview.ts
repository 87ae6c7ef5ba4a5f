import { type DryRun, dryRun } from '@groundswell/connectors/kit/http/dry-run.ts'
import type { RemoteItem, Tracker } from '@groundswell/connectors/tracker.ts'
import { PREVIEW_ID, type PushPreview } from '@groundswell/contract/deliveries.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import {
  asking,
  type Connection,
  callProvider,
  lackOfChoices,
  requireLive,
  siteAddress,
  tileConnector,
} from '../../connections/index.ts'
import { readInsight, readShownInsights } from '../../insights/index.ts'
import { buildContent } from '../content.ts'
import { nextPush } from '../next-push.ts'
import { readPayload, sendByConnector } from '../send-event.ts'
import { lockDeliveriesOf } from '../store.ts'
import { lockNewestItem } from '../trackers/remote-item-store.ts'
import { knownItem, wantsReopening, writeItem } from '../trackers/write-item.ts'
import { exampleContent } from './example.ts'
import { viewItem, viewRequest } from './preview-view.ts'

/** The data that a push would be built from, read in one transaction. `item` is for trackers. */
type Draft = Pick<PushPreview, 'insight' | 'event'> & {
  payload: string
  eventId: string
  item: { marker: string; known: RemoteItem | null; reopen: boolean; titles: readonly string[] }
}

/**
 * What pushing an insight to this tile's destination would send now. It runs the code of a push, with the same text, over a client that
 * sends no write. Throws `not_found` where the insight is not shown, and `conflict` where a push would be refused too.
 */
export async function previewOf(
  services: Services,
  workspaceId: string,
  given: { tile: string; issueNumber: number | undefined },
  signal: AbortSignal,
): Promise<PushPreview> {
  const connector = tileConnector(given.tile)
  const { manifest, tracker } = connector
  if (manifest.side !== 'destination') {
    throw new ContractError('not_configured', `Nothing is pushed to ${manifest.label}`)
  }
  const { connection, draft } = await inWorkspace(services.db, workspaceId, async (tx) => {
    const live = await requireLive(tx, workspaceId, connector)
    if (!live.ready) throw new ContractError('conflict', lackOfChoices(connector))
    if (live.signedOut) {
      throw new ContractError('conflict', 'The sign-in to the destination was lost: connect it again')
    }
    return { connection: live, draft: await readDraft(tx, services, live, given.issueNumber) }
  })
  let secrets: readonly string[] = []
  const run = await asking(() =>
    callProvider(
      services,
      connection,
      (context) => {
        secrets = Object.values(context.secrets)
        return dryRun(
          context,
          (dry) => write(dry, connection, tracker, draft),
          (request) => tracker?.dryRun?.replyTo?.(request) ?? null,
        )
      },
      signal,
    ),
  )
  const shown = run.requests.flatMap((request) => tracker?.dryRun?.shown(request) ?? [])[0]
  const id = tracker ? draft.item.marker : draft.eventId
  return {
    destination: manifest.label,
    insight: draft.insight,
    event: draft.event,
    requests: run.requests.map((request) => viewRequest(request, secrets)),
    item: shown ? viewItem(shown, connection.chosen) : null,
    more: mayGoOn(run, tracker, draft),
    placeholder: id === PREVIEW_ID ? PREVIEW_ID : null,
  }
}

function write(
  context: Parameters<typeof writeItem>[1],
  connection: Connection,
  tracker: Tracker | undefined,
  { item, payload, eventId }: Draft,
): Promise<unknown> {
  return tracker
    ? writeItem(tracker, context, { ...item, payload })
    : sendByConnector(connection, eventId, readPayload(payload), context)
}

/** A tracker with a dry run of its own creates an item in one request, or answers the first. */
function mayGoOn({ ended }: DryRun, tracker: Tracker | undefined, { item }: Draft): boolean {
  if (ended || !tracker) return false
  return item.known !== null || !tracker.dryRun
}

async function readDraft(
  tx: Tx,
  services: Services,
  connection: Connection,
  wanted: number | undefined,
): Promise<Draft> {
  const { workspaceId, id: connectionId, connector } = connection
  const issueNumber = wanted ?? (await readShownInsights(tx, workspaceId, { limit: 1 }))[0]?.issue_number
  if (issueNumber === undefined) {
    const event = 'insight.created' as const
    const item = { marker: PREVIEW_ID, known: null, reopen: false, titles: [] }
    const payload = exampleContent(connector, services.now(), siteAddress(services.config))
    return { insight: null, event, eventId: PREVIEW_ID, payload, item }
  }
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown) throw new ContractError('not_found', 'There is no such insight')
  const before = await lockDeliveriesOf(tx, workspaceId, connectionId, issueNumber)
  const next = nextPush(before)
  const delivery =
    'delivery' in next
      ? next.delivery
      : { connector, issueNumber, event: next.event, eventId: PREVIEW_ID, payload: null }
  const payload = delivery.payload ?? (await buildContent(tx, services, workspaceId, delivery, before))?.payload
  if (payload === undefined) throw new ContractError('not_found', 'There is no such insight')
  const row = await lockNewestItem(tx, workspaceId, connectionId, issueNumber)
  const isKnown = row !== null && row.state !== 'gone' && row.state !== 'creating'
  return {
    insight: { issue_number: issueNumber, issue_name: insight.issue_name },
    event: delivery.event,
    eventId: delivery.eventId,
    payload,
    item: {
      marker: row && row.state !== 'gone' ? row.marker : PREVIEW_ID,
      known: isKnown ? knownItem(row) : null,
      reopen: isKnown && wantsReopening(connection, row, insight),
      titles: isKnown ? row.titles : [],
    },
  }
}
