import nodemailer from 'nodemailer'
import type { Services } from '../services.ts'

const WAIT_MS = 10_000

/** A connection to the mail server, which is made when a mail is sent; of no use unless `mailIsOn`. */
export function createMailTransport({ config }: Pick<Services, 'config'>) {
  return nodemailer.createTransport({
    url: config.smtpUrl ?? '',
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  })
}

/** True when a mail server is configured. */
export function mailIsOn({ config }: Pick<Services, 'config'>): boolean {
  return config.smtpUrl !== undefined
}
