import { createHash, randomBytes } from 'node:crypto'
import { knownPerson, siteUrl } from '../../auth/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Letter, sendOnce } from '../../platform/mail/send-once.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { everyWorkspace } from '../../platform/sweep/every-workspace.ts'
import { seenUntil } from '../insights/index.ts'
import { workspaceFacts } from '../workspaces/index.ts'
import { releaseAlerts, takeAlerts } from './alert-store.ts'
import { viewAlerts } from './alerts.ts'
import { viewDigest } from './content.ts'
import { releaseNotices, takeNotices } from './notice-store.ts'
import { viewNotices } from './notices.ts'
import { endOfQuiet, nextDigestAt } from './schedule.ts'
import {
  addMail,
  claimMail,
  endLostAttempts,
  lockDueChoices,
  lockDueMail,
  type MailRow,
  moveChoice,
  readChoice,
  settleMail,
  workspacesWithDueMail,
} from './store.ts'
import { type Links, writeAlerts, writeDigest, writeNotices } from './write.ts'

const MINUTE_MS = 60_000
/** Longer than an attempt can take, whose every wait ends after 10 s. */
const LOST_AFTER_MS = 15 * MINUTE_MS
/** Before the second attempt, the third, and so on; after the last one the mail is given up. */
const PAUSES_MS = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE_MS)

type Claimed = { mail: MailRow; letter: Letter }

/**
 * Sends the due mails of every workspace. A mail is claimed, with its Message-ID, in its own transaction before the mail server is contacted: after a
 * crash its outcome is unknown, and it is not sent again. Once the mail server cannot be reached, the rest waits for the next sweep.
 */
export async function sendDueMails(services: Services): Promise<void> {
  if (!mailIsOn(services)) return
  let reachable = true
  await everyWorkspace(
    services,
    'mails',
    (tx) => workspacesWithDueMail(tx, services.now()),
    async (workspaceId) => {
      await inWorkspace(services.db, workspaceId, (tx) => addDueDigests(tx, workspaceId, services.now()))
      while (reachable) {
        const claimed = await inWorkspace(services.db, workspaceId, (tx) => claimNext(services, tx, workspaceId))
        if (claimed === 'none') return
        if (claimed !== 'nothing') reachable = await attempt(services, workspaceId, claimed)
      }
    },
  )
}

/** Adds a mail for each digest that is due, and gives up on attempts that were interrupted. */
async function addDueDigests(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await endLostAttempts(tx, workspaceId, now)
  for (const choice of await lockDueChoices(tx, workspaceId, now)) {
    const { accountId, coveredUntil } = choice
    await addMail(tx, workspaceId, { accountId, kind: 'digest', since: coveredUntil }, now)
    await moveChoice(tx, workspaceId, accountId, { nextAt: nextDigestAt(now, choice) })
  }
}

/** Claims the next mail that is due. `nothing`: there was one, but nothing to write, or it waits for the end of quiet hours. */
async function claimNext(services: Services, tx: Tx, workspaceId: string): Promise<Claimed | 'nothing' | 'none'> {
  const now = services.now()
  const mail = await lockDueMail(tx, workspaceId, now)
  if (!mail) return 'none'
  const choice = mail.kind === 'digest' ? null : await readChoice(tx, workspaceId, mail.accountId)
  const quietUntil = choice && endOfQuiet(now, choice)
  if (quietUntil) {
    await settleMail(tx, workspaceId, mail.id, { state: 'waiting', dueAt: quietUntil })
    return 'nothing'
  }
  const token = randomBytes(32).toString('base64url')
  const written = await writeFor(services, tx, workspaceId, mail, linksOf(services, token))
  if (!written) {
    await settleMail(tx, workspaceId, mail.id, { state: 'nothing' })
    return 'nothing'
  }
  const lostAt = new Date(now.getTime() + LOST_AFTER_MS)
  await claimMail(tx, workspaceId, mail.id, { unsubscribeHash: hashOf(token), lostAt })
  return { mail, letter: { ...written, ...addressed(services, mail.id, token) } }
}

/** Makes the attempt and records its outcome. Returns whether the mail server could be reached. */
async function attempt(services: Services, workspaceId: string, { mail, letter }: Claimed): Promise<boolean> {
  const outcome = await sendOnce(services, letter)
  await inWorkspace(services.db, workspaceId, async (tx) => {
    if (outcome.is === 'accepted') return settleMail(tx, workspaceId, mail.id, { state: 'sent' })
    const error = outcome.reason.slice(0, 500)
    if (outcome.is === 'uncertain') return settleMail(tx, workspaceId, mail.id, { state: 'uncertain', error })
    const pause = PAUSES_MS[mail.tries]
    if (pause !== undefined) {
      const dueAt = new Date(services.now().getTime() + pause)
      return settleMail(tx, workspaceId, mail.id, { state: 'waiting', error, dueAt })
    }
    await settleMail(tx, workspaceId, mail.id, { state: 'refused', error })
    // The next mail includes what this one could not.
    if (mail.kind === 'alert') await releaseAlerts(tx, workspaceId, mail.id)
    else if (mail.kind === 'notice') await releaseNotices(tx, workspaceId, mail.id)
    else await moveChoice(tx, workspaceId, mail.accountId, { coveredUntil: mail.since })
  })
  if (outcome.is !== 'accepted') {
    services.log.warn(
      { workspace: workspaceId, mail: mail.id, outcome: outcome.is, err: outcome.reason },
      'a mail was not accepted',
    )
  }
  return outcome.is !== 'refused' || !outcome.unreachable
}

/** Writes a mail about the time since its `since`; null: there is nothing to write, or nobody who may get it. */
async function writeFor(
  { now: clock }: Services,
  tx: Tx,
  workspaceId: string,
  { id, accountId, kind, since }: MailRow,
  links: Links,
): Promise<Pick<Letter, 'to' | 'subject' | 'text' | 'html'> | null> {
  const now = clock()
  const choice = await readChoice(tx, workspaceId, accountId)
  const account = await knownPerson(tx, accountId)
  const workspace = await workspaceFacts(tx, workspaceId, accountId)
  const mayGet = account?.emailConfirmedAt && !(account.bannedUntil && account.bannedUntil > now)
  if (!workspace || !mayGet) return null
  if (kind === 'notice') {
    const parts = await viewNotices(tx, workspaceId, accountId, await takeNotices(tx, workspaceId, accountId, id))
    return parts && { to: account.email, ...writeNotices(parts, workspace.name, links) }
  }
  if (!choice) return null
  if (kind === 'alert') {
    const parts = await viewAlerts(tx, workspaceId, await takeAlerts(tx, workspaceId, accountId, id))
    return parts && { to: account.email, ...writeAlerts(parts, workspace.name, links) }
  }
  if (choice.frequency === 'off') return null
  const parts = await viewDigest(tx, workspaceId, since, now)
  await moveChoice(tx, workspaceId, accountId, { coveredUntil: await seenUntil(tx, workspaceId, now) })
  if (!parts) return null
  const about = { workspace: workspace.name, since, timeZone: choice.time_zone, frequency: choice.frequency }
  return { to: account.email, ...writeDigest(parts, about, links) }
}

/** The links of a mail with this token. */
export function linksOf(services: Pick<Services, 'config'>, token: string): Links {
  const site = siteUrl(services)
  return { site, unsubscribe: `${site}/api/digest/unsubscribe/${token}` }
}

/** The hash under which a mail's token is stored. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function addressed(services: Services, id: string, token: string): Pick<Letter, 'messageId' | 'headers'> {
  const { site, unsubscribe } = linksOf(services, token)
  return {
    messageId: `<${id}@${new URL(site).hostname}>`,
    headers: { 'list-unsubscribe': `<${unsubscribe}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' },
  }
}
