import type { Digest, DigestChoice, DigestKind, DigestMail } from '@groundswell/contract/digests.ts'
import type { Tone } from '../../ui/badge.tsx'
import { formatMoment } from '../../ui/text/moment.ts'

/** The days of a week by their numbers, in English like the rest of the app. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The hours of a day. */
export const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)

/** Whether any alert is on. */
export function wantsAlerts({ alerts }: DigestChoice): boolean {
  return alerts.spike || alerts.regression || alerts.themes.length > 0 || (alerts.customers ?? []).length > 0
}

/** The digest that a preview shows; where it is off, a daily one. */
export const previewedKind = ({ frequency }: DigestChoice): DigestKind => (frequency === 'off' ? 'daily' : frequency)

/** An hour of the day as a choice shows it. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** When the next digest is due, and where it goes. */
export function dueText({ next_at: next, address }: Digest): string {
  return next === null ? `Off. It would go to ${address}.` : `Next: ${formatMoment(next)}, to ${address}.`
}

/** Why no mail can be sent, and how to fix it; null: mails can be sent. */
export function notReadyText({ ready, address }: Digest): string | null {
  if (ready === 'no_mail_server') {
    return 'No mail server is set up. To enable e-mail, the server’s operator sets SMTP_URL and MAIL_FROM.'
  }
  return ready === 'unconfirmed' ? `First confirm your address ${address}, in Settings › You.` : null
}

/** The labels of the kinds of mails. */
export const KINDS: Readonly<Record<DigestMail['kind'], string>> = {
  digest: 'Digest',
  alert: 'Alert',
  notice: 'Assignments and mentions',
}

const STATES: Readonly<Record<DigestMail['state'], { label: string; tone: Tone; help: string | null }>> = {
  waiting: { label: 'Trying again', tone: 'warn', help: 'The mail server has not accepted it yet.' },
  sending: { label: 'Being sent', tone: 'accent', help: null },
  sent: { label: 'Sent', tone: 'good', help: null },
  uncertain: {
    label: 'Uncertain',
    tone: 'warn',
    help: 'Sending was interrupted, so it may or may not have arrived. It is not sent again.',
  },
  refused: {
    label: 'Not sent',
    tone: 'bad',
    help: 'The mail server refused every attempt. The next mail includes what was missed.',
  },
  nothing: { label: 'No mail', tone: 'plain', help: 'There was nothing to report.' },
}

const MESSAGE_STATES: typeof STATES = {
  ...STATES,
  waiting: { ...STATES.waiting, help: 'It has not been accepted yet.' },
  uncertain: {
    ...STATES.uncertain,
    help: 'Posting was interrupted, so it may or may not be there. It is not posted again.',
  },
  refused: { ...STATES.refused, help: 'It was refused. The next message includes what was missed.' },
  nothing: { ...STATES.nothing, label: 'No message' },
}

/** The label of the state of a mail, or of a message to a channel. `help`: what it means, where the label does not say. */
export function mailState(
  mail: Pick<DigestMail, 'state' | 'error'>,
  what: 'mail' | 'message' = 'mail',
): { label: string; tone: Tone; help: string | null } {
  const state = (what === 'mail' ? STATES : MESSAGE_STATES)[mail.state]
  const reason = mail.error !== null && mail.state !== 'sent' ? ` (${mail.error})` : ''
  return { ...state, help: state.help === null ? null : `${state.help}${reason}` }
}
