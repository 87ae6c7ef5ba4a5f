import { Readable } from 'node:stream'
import type { Services } from '../services.ts'
import { createMailTransport } from './transport.ts'

/** A mail with everything that is in it. `messageId` as in its header, with the angle brackets. */
export type Letter = {
  to: string
  messageId: string
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
}

/**
 * What became of an attempt. `refused`: the mail server certainly does not have the mail, so it may be sent again; `unreachable`: nor would it
 * have any other. `uncertain`: the mail was on its way and there was no answer.
 */
export type SendOutcome =
  | { is: 'accepted' }
  | { is: 'refused'; reason: string; unreachable: boolean }
  | { is: 'uncertain'; reason: string }

/** Makes one attempt to send a mail. Does not throw for what a mail server does. */
export async function sendOnce(services: Pick<Services, 'config'>, letter: Letter): Promise<SendOutcome> {
  const transport = createMailTransport(services)
  let begun = false
  transport.use('stream', ({ message }, done) => {
    message.build((error, bytes) => {
      // Read once the mail server has agreed to take the message, and not before.
      message.createReadStream = () =>
        new Readable({
          read() {
            begun = true
            this.push(bytes)
            this.push(null)
          },
        })
      done(error)
    })
  })
  const { to, headers, ...content } = letter
  try {
    await transport.sendMail({
      ...content,
      from: services.config.mailFrom,
      to: { name: '', address: to },
      headers: { 'auto-submitted': 'auto-generated', ...headers },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { is: 'accepted' }
  } catch (error) {
    return outcomeOf(error as Error & { responseCode?: number }, begun)
  }
}

function outcomeOf({ message: reason, responseCode }: Error & { responseCode?: number }, begun: boolean): SendOutcome {
  const isAnswer = responseCode !== undefined && responseCode >= 400
  if (begun && !isAnswer) return { is: 'uncertain', reason }
  return { is: 'refused', reason, unreachable: !isAnswer }
}
