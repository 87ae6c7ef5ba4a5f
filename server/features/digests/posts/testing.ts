import { decide, type SlackSandbox, startSlack } from '@groundswell/connectors/sandbox/index.ts'
import { type DigestChoice } from '@groundswell/contract/digests.ts'
import { getPosting, type PosterView } from '@groundswell/contract/posts.ts'
import { sql } from 'kysely'
import type { Services } from '../../../platform/services.ts'
import { connectionRoutes, postingSignInRoutes } from '../../connections/index.ts'
import { storeItems } from '../../feedback/index.ts'
import { insightRoutes } from '../../insights/index.ts'
import { syncsView } from '../../syncs/index.ts'
import { MailWorld } from '../testing.ts'
import { postRoutes } from './routes.ts'
import { sendDuePosts } from './send.ts'

/** Every day at nine, UTC. */
export const DAILY: DigestChoice = {
  frequency: 'daily',
  weekday: 1,
  hour: 9,
  time_zone: 'UTC',
  alerts: { spike: false, regression: false, themes: [] },
  quiet: null,
}

/** A server with a stand-in for a chat, to which it can post, and a clock that tests set. */
export class PostWorld {
  readonly world: MailWorld
  readonly slack: SlackSandbox

  private constructor(world: MailWorld, slack: SlackSandbox) {
    this.world = world
    this.slack = slack
  }

  static async start(): Promise<PostWorld> {
    const slack = await startSlack({ company: [], retryDelays: [] })
    const routes = (services: Services) => [
      ...connectionRoutes(services, { syncs: syncsView }),
      ...postingSignInRoutes(services),
      ...insightRoutes(services),
      ...postRoutes(services),
    ]
    return new PostWorld(await MailWorld.start(routes, { baseUrls: { slack: slack.url } }), slack)
  }

  async stop(): Promise<void> {
    await this.world.stop()
    await this.slack.stop()
  }

  /** A workspace whose owner allowed posting. */
  async workspace(): Promise<string> {
    const { workspace } = await this.world.member('ann')
    const { clientId: client_id, clientSecret: client_secret } = this.slack.postingApp
    await this.call(workspace, 'PUT', '/api/posting/slack/app', { client_id, client_secret })
    await this.allow(workspace)
    return workspace
  }

  /** Allows posting on the page of the stand-in. */
  async allow(workspace: string): Promise<void> {
    const { url } = (await this.call(workspace, 'POST', '/api/posting/slack/authorize')) as { url: string }
    const payload = Object.fromEntries((await decide(url)).back.searchParams)
    await this.call(workspace, 'POST', '/api/posting/slack/oauth', payload)
  }

  /** Makes a call that must succeed. */
  async call(
    workspace: string,
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    body?: object,
  ): Promise<unknown> {
    const answer = await this.world.call(workspace, method, url, body)
    if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.body}`)
    return answer.json()
  }

  async posting(workspace: string): Promise<PosterView> {
    const { posters } = getPosting.reply.parse(await this.call(workspace, 'GET', '/api/posting'))
    if (!posters[0]) throw new Error('nothing can post')
    return posters[0]
  }

  /** Makes a channel, invites the app that posts, and chooses what the channel gets. Returns its id. */
  async channel(workspace: string, name: string, choice: DigestChoice = DAILY): Promise<string> {
    this.slack.post({ channel: name, author: 'Eve', text: 'hello' })
    this.slack.invitePoster(name)
    const { id: channel } = this.slack.workspace.room(name)
    await this.call(workspace, 'PUT', '/api/posting/slack/channel', { channel, choice })
    return channel
  }

  /** Posts the messages that are due at a time. */
  async sweepAt(time: string): Promise<void> {
    this.world.now = new Date(time)
    await sendDuePosts(this.world.services)
  }

  /** A person asks for an insight in the chat, as a source stores it. Returns the message's own id. */
  async ask(
    workspace: string,
    number: number,
    { author, channel, thread }: { author: string; channel: string; thread?: string },
  ): Promise<string> {
    const ts = this.slack.post({ channel, author, text: 'The export fails', ...(thread ? { thread } : {}) })
    const at = this.world.now.toISOString()
    await this.world.mention(workspace, number, { at, count: 0 })
    await this.world.inside(workspace, async (tx) => {
      await sql`
        insert into connection (workspace_id, connector) select ${workspace}, 'slack'
        where not exists (select from connection where workspace_id = ${workspace} and connector = 'slack')`.execute(tx)
      const { rows } = await sql<{
        id: string
      }>`select id from connection where workspace_id = ${workspace} and connector = 'slack'`.execute(tx)
      const place = `${this.slack.teamId}:${this.slack.workspace.room(channel).id}`
      const item = {
        externalId: `${place}:${ts}`,
        text: 'The export fails',
        author,
        at: this.world.now,
        link: `https://tallybrook.slack.com/${ts}`,
        thread: `${place}:${thread ?? ts}`,
        place: `#${channel}`,
      }
      await storeItems(tx, workspace, rows[0]?.id ?? '', [item])
      await sql`
        insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
        select workspace_id, id, 0, 0, length(text), 'joined', ${number}, 1, 'test', said_at from feedback_item
        where external_id = ${item.externalId}`.execute(tx)
    })
    return ts
  }
}
