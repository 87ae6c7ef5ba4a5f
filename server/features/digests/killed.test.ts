import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Digest } from '@groundswell/contract/digests.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { duringTests } from '../../platform/testing.ts'
import { sendDueMails } from './send.ts'
import { MailWorld } from './testing.ts'

const DUE = '2026-03-03T09:00:00Z'

let workspace: string
let address: string
const children: ChildProcess[] = []
const servers: Server[] = []

const world = duringTests(() => MailWorld.start())
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
})
beforeEach(async () => {
  world.now = new Date('2026-03-02T10:20:00Z')
  ;({ workspace, address } = await world.member('ann'))
  const choice = {
    frequency: 'daily',
    weekday: 1,
    hour: 9,
    time_zone: 'UTC',
    alerts: { spike: false, regression: false, themes: [] },
    quiet: null,
  }
  await world.call(workspace, 'PUT', '/api/digest', choice)
  await world.mention(workspace, 1, { at: '2026-03-02T12:00:00Z', count: 1 })
})

/** A mail server that stops answering: before its greeting, or once it has the whole message. Resolves when a worker has got that far. */
async function silentServer(when: 'greeting' | 'message'): Promise<{ url: string; reached: Promise<string> }> {
  let reach: (message: string) => void
  const reached = new Promise<string>((resolve) => {
    reach = resolve
  })
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    if (when === 'greeting') return reach('')
    let message: string | null = null
    socket.write('220 here\r\n')
    socket.on('data', (data) => {
      const text = data.toString()
      if (message !== null) {
        message += text
        if (message.endsWith('\r\n.\r\n')) reach(message)
        return
      }
      for (const line of text.split('\r\n').filter((one) => one !== '')) {
        if (line.toUpperCase() === 'DATA') message = ''
        socket.write(line.toUpperCase() === 'DATA' ? '354 go\r\n' : '250 fine\r\n')
      }
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = (server.address() as { port: number }).port
  return { url: `smtp://127.0.0.1:${port}`, reached }
}

function startWorker(smtpUrl: string): ChildProcess {
  const script = fileURLToPath(new URL('./test-worker.ts', import.meta.url))
  const database = world.services.db.pool.options.connectionString ?? ''
  const child = spawn(process.execPath, [script, database, smtpUrl, DUE], { stdio: ['ignore', 'inherit', 'inherit'] })
  children.push(child)
  return child
}

const digest = async () => Digest.parse((await world.call(workspace, 'GET', '/api/digest')).json())
const sweepAt = async (time: string) => {
  world.now = new Date(time)
  await sendDueMails(world.services)
}

test.each(['greeting', 'message'] as const)(
  'a worker that is killed while the mail server waits after its %s leaves one mail in doubt, which is shown and never repeated',
  async (when) => {
    const { url, reached } = await silentServer(when)
    const child = startWorker(url)
    const message = await reached
    expect(message.includes('Groundswell: 1 new')).toBe(when === 'message')
    child.kill('SIGKILL')
    await once(child, 'exit')
    world.now = new Date(DUE)
    expect((await digest()).mails).toMatchObject([{ state: 'sending' }])
    await sweepAt('2026-03-03T09:05:00Z')
    expect((await digest()).mails).toMatchObject([{ state: 'sending' }])
    // No worker runs any more: what is shown does not wait for one.
    world.now = new Date('2026-03-03T09:15:30Z')
    expect((await digest()).mails).toMatchObject([{ state: 'uncertain', error: expect.stringContaining('stopped') }])
    await sweepAt('2026-03-03T09:16:00Z')
    expect((await digest()).mails).toMatchObject([{ state: 'uncertain', error: expect.stringContaining('stopped') }])
    for (const hour of ['10', '15', '20']) await sweepAt(`2026-03-03T${hour}:00:00Z`)
    await sweepAt('2026-03-04T09:00:00Z')
    expect((await digest()).mails).toMatchObject([{ state: 'nothing' }, { state: 'uncertain' }])
    expect(world.mailsTo(address)).toEqual([])
  },
)

test('two workers at once send a mail once', async () => {
  world.now = new Date(DUE)
  await Promise.all([sendDueMails(world.services), sendDueMails(world.otherProcess()), sendDueMails(world.services)])
  await world.mail.newest(address)
  expect(world.mailsTo(address)).toHaveLength(1)
  expect((await digest()).mails).toMatchObject([{ state: 'sent' }])
})
