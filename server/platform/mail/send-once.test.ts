import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Config } from '../config/config.ts'
import { sendOnce } from './send-once.ts'
import { type MailServer, mailServer } from './testing.ts'

const letter = {
  to: 'ann@example.com',
  messageId: '<one@groundswell.example>',
  subject: 'One',
  text: 'Hello',
  html: '<p>Hello</p>',
  headers: { 'list-unsubscribe': '<https://groundswell.example/off>' },
}
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const send = (smtpUrl: string) => sendOnce({ config: { smtpUrl, mailFrom: 'Us <us@example.com>' } as Config }, letter)

async function realServer(): Promise<MailServer> {
  const server = await mailServer()
  stops.push(() => server.stop())
  return server
}

/** A mail server that gives these answers, and does `then` at the end of the message. */
async function scripted(answers: Record<string, string>, then: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    let inMessage = false
    let message = ''
    socket.on('error', () => undefined)
    socket.write('220 here\r\n')
    socket.on('data', (data) => {
      const text = data.toString()
      if (inMessage) {
        message += text
        if (message.endsWith('\r\n.\r\n')) then(socket)
        return
      }
      for (const line of text.split('\r\n').filter((one) => one !== '')) {
        const answer = answers[line.slice(0, 4).toUpperCase()] ?? '250 fine'
        inMessage = answer.startsWith('354')
        socket.write(`${answer}\r\n`)
      }
    })
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  stops.push(() => server.close())
  const address = server.address()
  return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('a mail arrives with its identity, both texts and its headers', async () => {
  const server = await realServer()
  expect(await send(server.url)).toEqual({ is: 'accepted' })
  const mail = await server.newest(letter.to)
  expect(mail).toMatchObject({ subject: 'One', messageId: letter.messageId })
  expect(mail.text).toContain('Hello')
  expect(mail.html).toContain('<p>Hello</p>')
  expect(mail.headers['list-unsubscribe']).toBe('<https://groundswell.example/off>')
  expect(mail.headers['auto-submitted']).toBe('auto-generated')
})

test('what the server refuses, before or after the message, it does not have', async () => {
  const end = (socket: Socket) => socket.write('451 not now\r\n')
  const cases = [
    ['MAIL', '550 not you'],
    ['RCPT', '550 nobody'],
    ['DATA', '451 not now'],
    ['DATA', '354 go'],
  ] as const
  for (const [command, answer] of cases) {
    expect(await send(await scripted({ [command]: answer }, end))).toMatchObject({ is: 'refused', unreachable: false })
  }
})

test('a server that cannot be reached, or closes before the message, does not have it either', async () => {
  expect(await send('smtp://127.0.0.1:9')).toMatchObject({ is: 'refused', unreachable: true })
  const server = createServer((socket) => void socket.end())
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  stops.push(() => server.close())
  const address = server.address()
  const url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  expect(await send(url)).toMatchObject({ is: 'refused', unreachable: true })
})

test('a connection that ends after the message and before the answer leaves it uncertain', async () => {
  const url = await scripted({ DATA: '354 go' }, (socket) => socket.destroy())
  expect(await send(url)).toMatchObject({ is: 'uncertain' })
})
