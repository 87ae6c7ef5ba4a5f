import { setTimeout as pause } from 'node:timers/promises'
import { defineCache } from '../../platform/caches.ts'
import { createMailTransport, mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { siteUrl } from '../site-url.ts'
import type { Message } from './messages.ts'

const PAUSES_MS = [0, 2_000, 10_000, 30_000]
const transportCache = defineCache('mail transport', createMailTransport, (transport) => transport.close())

/**
 * Sends a mail in the background: the caller does not wait, so that the response time does not reveal whether there was
 * anything to send. Delivery is attempted four times within a minute; then the failure is logged. Without a mail server the link
 * is logged, but only where the product is used on this machine alone: elsewhere more people can read the log than may have
 * the link.
 */
export function sendMail(services: Pick<Services, 'config' | 'log' | 'caches'>, to: string, message: Message): void {
  const log = services.log.child({ part: 'mail' })
  if (!mailIsOn(services)) {
    if (!isThisMachine(siteUrl(services)))
      log.warn({ about: message.about }, 'mail is off (SMTP_URL): nothing was sent')
    else
      log.info(
        { to, about: message.about, link: message.link, code: message.code },
        'mail is off: use this link or code',
      )
    return
  }
  void deliver(services, to, message).catch((error: Error) => {
    log.error({ about: message.about, err: error.message }, 'the mail server did not accept a mail')
  })
}

async function deliver(
  { config, caches }: Pick<Services, 'config' | 'caches'>,
  to: string,
  message: Message,
): Promise<void> {
  const transport = caches.of(transportCache)
  let failure: unknown
  for (const milliseconds of PAUSES_MS) {
    await pause(milliseconds, undefined, { ref: false })
    try {
      await transport.sendMail({
        from: config.mailFrom,
        to: { name: '', address: to },
        subject: message.subject,
        text: message.text,
        headers: { 'auto-submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function isThisMachine(url: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/.test(url)
}
