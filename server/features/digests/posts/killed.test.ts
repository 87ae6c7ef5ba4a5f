import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { duringTests } from '../../../platform/testing.ts'
import { sendDuePosts } from './send.ts'
import { DAILY, PostWorld } from './testing.ts'

const DUE = '2026-03-03T09:00:00Z'

let workspace: string
const children: ChildProcess[] = []
const servers: Server[] = []

const posts = duringTests(() => PostWorld.start())
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
})
beforeEach(async () => {
  posts.world.now = new Date('2026-03-02T10:20:00Z')
  workspace = await posts.workspace()
  await posts.channel(workspace, `product-${workspace.slice(0, 8)}`, DAILY)
  await posts.world.mention(workspace, 1, { at: '2026-03-02T12:00:00Z', count: 1 })
})

/** A provider that never answers. Resolves with what it got once a worker has connected, or sent the whole message. */
async function silentProvider(when: 'connection' | 'message'): Promise<{ url: string; reached: Promise<string> }> {
  const { promise: reached, resolve } = Promise.withResolvers<string>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (when === 'connection') return resolve('')
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
      if (text.includes('unfurl_media=false')) resolve(text)
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, reached }
}

function startWorker(url: string): ChildProcess {
  const script = fileURLToPath(new URL('./test-worker.ts', import.meta.url))
  const database = posts.world.services.db.pool.options.connectionString ?? ''
  const child = spawn(process.execPath, [script, database, url, DUE], { stdio: ['ignore', 'inherit', 'inherit'] })
  children.push(child)
  return child
}

const states = async () => (await posts.posting(workspace)).posts

test.each(['connection', 'message'] as const)(
  'a worker that is killed while the provider has its %s leaves one message in doubt, which is shown and never repeated',
  async (when) => {
    const { url, reached } = await silentProvider(when)
    const child = startWorker(url)
    const sent = await reached
    expect(sent.includes('Groundswell%3A+1+new')).toBe(when === 'message')
    child.kill('SIGKILL')
    await once(child, 'exit')
    posts.world.now = new Date(DUE)
    expect(await states()).toMatchObject([{ state: 'sending' }])
    await posts.sweepAt('2026-03-03T09:05:00Z')
    expect(await states()).toMatchObject([{ state: 'sending' }])
    // No worker runs any more: what is shown does not wait for one.
    posts.world.now = new Date('2026-03-03T09:15:30Z')
    expect(await states()).toMatchObject([{ state: 'uncertain', error: expect.stringContaining('stopped') }])
    await posts.sweepAt('2026-03-03T09:16:00Z')
    expect(await states()).toMatchObject([{ state: 'uncertain', error: expect.stringContaining('stopped') }])
    for (const hour of ['10', '15', '20']) await posts.sweepAt(`2026-03-03T${hour}:00:00Z`)
    await posts.sweepAt('2026-03-04T09:00:00Z')
    expect(await states()).toMatchObject([{ state: 'nothing' }, { state: 'uncertain' }])
    expect(posts.slack.posted()).toEqual([])
  },
)

test('two workers at once post a message once', async () => {
  posts.world.now = new Date(DUE)
  const { services } = posts.world
  await Promise.all([sendDuePosts(services), sendDuePosts(posts.world.otherProcess()), sendDuePosts(services)])
  expect(posts.slack.posted()).toHaveLength(1)
  expect(await states()).toMatchObject([{ state: 'sent' }])
})
