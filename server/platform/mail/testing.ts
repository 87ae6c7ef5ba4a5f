import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { expect } from 'vitest'

/** A mail as it arrived. */
export type ArrivedMail = {
  to: string
  from: string
  subject: string
  messageId: string
  text: string
  html: string
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>
  link: URL | null
  code: string | null
}

/** A test's own mail server, which records what it is sent. `refuse` makes it reject that many mails first. */
export type MailServer = {
  url: string
  mails: ArrivedMail[]
  refuse: { next: number }
  /** The newest mail to an address once it has arrived; with that subject, if one is given. */
  newest(to: string, subject?: string): Promise<ArrivedMail>
  stop(): Promise<void>
}

/** Starts a mail server on this machine. */
export async function mailServer(): Promise<MailServer> {
  const mails: ArrivedMail[] = []
  const refuse = { next: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    // Record the mail before accepting it: the sender may look for it immediately afterwards.
    onData: callbackify(async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
      const source = await buffer(stream)
      if (refuse.next > 0) {
        refuse.next -= 1
        throw new Error('not now')
      }
      const mail = await PostalMime.parse(source)
      const text = mail.text ?? ''
      const link = /https?:\/\/\S+/.exec(text)?.[0]
      mails.push({
        to: session.envelope.rcptTo[0]?.address ?? '',
        from: mail.from?.address ?? '',
        subject: mail.subject ?? '',
        messageId: mail.messageId ?? '',
        text,
        html: mail.html ?? '',
        headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
        link: link === undefined ? null : new URL(link),
        code: /code(?: is|:) (\d{6})/.exec(text)?.[1] ?? null,
      })
    }),
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  const find = (to: string, subject?: string) =>
    mails.findLast((mail) => mail.to === to && (subject === undefined || mail.subject === subject))
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse,
    async newest(to, subject) {
      await expect.poll(() => find(to, subject)).toBeDefined()
      const mail = find(to, subject)
      if (!mail) throw new Error(`no mail to ${to}`)
      return mail
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
