import { connectorById, connectors } from '@groundswell/connectors/index.ts'
import type { DigestChoice } from '@groundswell/contract/digests.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import * as contract from '@groundswell/contract/posts.ts'
import { visibleName } from '@groundswell/contract/values/name.ts'
import { siteUrl } from '../../../auth/index.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import {
  asking,
  type Connection,
  callProvider,
  disconnectConnection,
  hasApp,
  liveConnections,
  nameOfConnection,
  requireLive,
  tilePoster,
} from '../../connections/index.ts'
import { findAlerts, viewAlerts } from '../alerts.ts'
import { daysBefore, wantsAlerts } from '../choice.ts'
import { viewDigest } from '../content.ts'
import { nextDigestAt } from '../schedule.ts'
import {
  type ChannelRow,
  lockChannel,
  readChannels,
  removeChannel,
  removeCutOff,
  writeChannel,
} from './channel-store.ts'
import { addReplies, viewReplies } from './replies.ts'
import { forgetWaiting, readLatestPosts } from './store.ts'
import { alertLines, digestLines, plainText } from './write.ts'

const POSTS_SHOWN = 10

/** The calls for posting to channels and replying to people who asked. */
export function postRoutes(services: Services): Handler[] {
  return [...channelRoutes(services), ...replyRoutes(services)]
}

function channelRoutes(services: Services): Handler[] {
  return [
    handle(contract.getPosting, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const able = connectors.filter(({ poster }) => poster)
        const posters: contract.PosterView[] = []
        for (const { manifest } of able) posters.push(await viewPoster(services, tx, workspaceId, manifest.id))
        return { posters }
      }),
    ),

    handle(contract.endPosting, async ({ params, caller: { workspaceId } }) => {
      const poster = tilePoster(params.tile)
      await inWorkspace(services.db, workspaceId, async (tx) => {
        const connection = await requireLive(tx, workspaceId, poster)
        await disconnectConnection(services, tx, connection)
        await forgetWaiting(tx, workspaceId, connection.id)
        await removeCutOff(tx, workspaceId)
      })
      return { message: `Posting to ${poster.manifest.label} is off` }
    }),

    handle(contract.listPostChannels, async ({ params, caller, request }) => ({
      channels: await listChannels(services, caller.workspaceId, params.tile, request.signal),
    })),

    handle(contract.setPostChannel, async ({ params, body, caller, request }) => {
      const { workspaceId } = caller
      const label = isOn(body.choice) ? await labelOf(services, caller, params.tile, body.channel, request.signal) : ''
      return inWorkspace(services.db, workspaceId, async (tx) => {
        const connection = await requireLive(tx, workspaceId, tilePoster(params.tile))
        await choose(services, tx, caller, { ...body, label, connectionId: connection.id })
        return viewPoster(services, tx, workspaceId, params.tile)
      })
    }),

    handle(contract.previewPost, ({ params, query: { post }, caller: { workspaceId } }) => {
      tilePoster(params.tile)
      return inWorkspace(services.db, workspaceId, async (tx) => {
        const now = services.now()
        if (post === 'alerts') {
          const wanted = { spike: true, regression: true, themes: [] }
          const since = daysBefore(now, 'weekly')
          const parts = await viewAlerts(tx, workspaceId, await findAlerts(tx, workspaceId, wanted, { since, now }))
          return { text: plainText(alertLines(parts, siteUrl(services))), nothing: parts === null }
        }
        const parts = await viewDigest(tx, workspaceId, daysBefore(now, post), now)
        return { text: plainText(digestLines(parts, siteUrl(services))), nothing: parts === null }
      })
    }),
  ]
}

function replyRoutes(services: Services): Handler[] {
  return [
    handle(contract.listReplies, ({ params, caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, (tx) => viewReplies(tx, workspaceId, params.issue_number, services.now())),
    ),

    handle(contract.sendReplies, ({ params, body, caller }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) => addReplies(services, tx, caller, params.issue_number, body)),
    ),
  ]
}

async function viewPoster(services: Services, tx: Tx, workspaceId: string, tile: string): Promise<contract.PosterView> {
  const poster = tilePoster(tile)
  const connection = (await liveConnections(tx, workspaceId, 'poster')).find(
    ({ connector }) => connector === poster.manifest.id,
  )
  const channels = (await readChannels(tx, workspaceId)).filter((one) => one.connectionId === connection?.id)
  const posts = connection
    ? await readLatestPosts(tx, workspaceId, connection.id, { limit: POSTS_SHOWN, now: services.now() })
    : []
  return {
    tile,
    label: poster.manifest.label,
    permits: connectorById(tile)?.poster?.permits ?? '',
    has_app: await hasApp(tx, services, workspaceId, poster),
    signed_in: connection && !connection.signedOut ? nameOfConnection(services, connection) : null,
    error: connection?.error ?? null,
    channels: channels.map(viewChannel),
    posts: posts.map((post) => ({ ...post, at: post.at.toISOString() })),
  }
}

function viewChannel({ id, channel, label, choice, nextAt, setBy }: ChannelRow): contract.ChannelChoice {
  return { id, channel, label, choice, next_at: nextAt?.toISOString() ?? null, set_by: setBy }
}

async function listChannels(services: Services, workspaceId: string, tile: string, signal: AbortSignal) {
  const connection = await inWorkspace(services.db, workspaceId, (tx) => requireLive(tx, workspaceId, tilePoster(tile)))
  const poster = connectorById(tile)?.poster
  if (!poster) return []
  const found = await asking(() => callProvider(services, connection, (context) => poster.channels(context), signal))
  return found.map((channel) => ({ ...channel, label: visibleName(channel.label, channel.id) }))
}

/** The current name, at the provider, of a channel that can be posted to. */
async function labelOf(
  services: Services,
  { workspaceId }: Caller,
  tile: string,
  channel: string,
  signal: AbortSignal,
): Promise<string> {
  const found = (await listChannels(services, workspaceId, tile, signal)).find(({ id }) => id === channel)
  if (found) return found.label
  throw new ContractError('invalid_input', 'The app cannot post to this channel: invite it there first', {
    'body.channel': 'The app is not in it',
  })
}

type Chosen = { connectionId: Connection['id']; channel: string; label: string; choice: DigestChoice }

/** A digest that is turned on, or comes at other intervals, begins with the time of one interval. */
async function choose(
  { now: clock }: Services,
  tx: Tx,
  { workspaceId, name, email }: Caller,
  { connectionId, channel, label, choice }: Chosen,
): Promise<void> {
  const now = clock()
  const before = await lockChannel(tx, workspaceId, { connectionId, channel })
  if (!isOn(choice)) {
    if (before) await removeChannel(tx, workspaceId, before.id)
    return
  }
  const goesOn = before !== null && before.choice.frequency === choice.frequency
  await writeChannel(tx, workspaceId, {
    connectionId,
    channel,
    label,
    choice,
    coveredUntil: goesOn ? before.coveredUntil : daysBefore(now, choice.frequency),
    nextAt: nextDigestAt(now, choice),
    alertsSince: wantsAlerts(choice) ? (before?.alertsSince ?? now) : null,
    setBy: name || email,
  })
}

const isOn = (choice: DigestChoice) => choice.frequency !== 'off' || wantsAlerts(choice)
