import {
  type Digest,
  type DigestChoice,
  getDigest,
  previewDigest,
  setDigest,
  showUnsubscribe,
  unsubscribe,
} from '@groundswell/contract/digests.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { knownPerson } from '../../auth/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { setWantsMails, wantsMails, workspaceFacts } from '../workspaces/index.ts'
import { findAlerts, viewAlerts } from './alerts.ts'
import { daysBefore, wantsAlerts } from './choice.ts'
import { viewDigest } from './content.ts'
import { nextDigestAt } from './schedule.ts'
import { linksOf } from './send.ts'
import { readChoice, readLatestMails, stopMails, writeChoice } from './store.ts'
import { endMails, showPage } from './unsubscribe.ts'
import { writeAlerts, writeDigest } from './write.ts'

const MAILS_SHOWN = 10

/** The calls on a person's own mails, and the page to unsubscribe. */
export function digestRoutes(services: Services): Handler[] {
  return [
    handle(getDigest, ({ caller }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) => viewChoice(services, tx, caller)),
    ),

    handle(setDigest, ({ caller, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { ready } = await viewChoice(services, tx, caller)
        if (body.frequency !== 'off' || wantsAlerts(body)) refuseUnready(ready)
        await choose(services, tx, caller, body)
        if (body.about_me !== undefined) await chooseAboutMe(tx, caller, body.about_me)
        return viewChoice(services, tx, caller)
      }),
    ),

    handle(previewDigest, ({ caller, query: { mail } }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId, accountId, email } = caller
        const now = services.now()
        const choice = await readChoice(tx, workspaceId, accountId)
        const workspace = (await workspaceFacts(tx, workspaceId, accountId))?.name ?? ''
        const links = linksOf(services, 'preview')
        if (mail === 'alerts') {
          const wanted = choice?.alertsSince ? choice.alerts : { spike: true, regression: true, themes: [] }
          const span = { since: daysBefore(now, 'weekly'), now }
          const parts = await viewAlerts(tx, workspaceId, await findAlerts(tx, workspaceId, wanted, span))
          return { to: email, ...writeAlerts(parts, workspace, links), nothing: parts === null }
        }
        const since = choice?.frequency === mail ? choice.coveredUntil : daysBefore(now, mail)
        const parts = await viewDigest(tx, workspaceId, since, now)
        const about = { workspace, since, timeZone: choice?.time_zone ?? 'UTC', frequency: mail }
        return { to: email, ...writeDigest(parts, about, links), nothing: parts === null }
      }),
    ),

    handle(showUnsubscribe, ({ params }) => showPage(services, params.token)),
    handle(unsubscribe, ({ params }) => endMails(services, params.token)),
  ]
}

async function viewChoice(services: Services, tx: Tx, { workspaceId, accountId, email }: Caller): Promise<Digest> {
  const choice = await readChoice(tx, workspaceId, accountId)
  const account = await knownPerson(tx, accountId)
  const mails = await readLatestMails(tx, workspaceId, accountId, { limit: MAILS_SHOWN, now: services.now() })
  const ready = account?.emailConfirmedAt ? 'yes' : 'unconfirmed'
  return {
    choice: choice && {
      frequency: choice.frequency,
      weekday: choice.weekday,
      hour: choice.hour,
      time_zone: choice.time_zone,
      alerts: choice.alerts,
      quiet: choice.quiet,
    },
    about_me: await wantsMails(tx, workspaceId, accountId),
    next_at: choice?.nextAt?.toISOString() ?? null,
    address: email,
    ready: mailIsOn(services) ? ready : 'no_mail_server',
    mails: mails.map((one) => ({ ...one, at: one.at.toISOString() })),
  }
}

function refuseUnready(ready: Digest['ready']): void {
  if (ready === 'no_mail_server') throw new ContractError('not_configured', 'No mail server is set up (SMTP_URL)')
  if (ready === 'unconfirmed') throw new ContractError('not_configured', 'Your e-mail address is not confirmed yet')
}

/** A digest that is turned on, or comes at other intervals, begins with the time of one interval. */
async function choose(
  { now: clock }: Services,
  tx: Tx,
  { workspaceId, accountId }: Caller,
  body: DigestChoice,
): Promise<void> {
  const now = clock()
  const before = await readChoice(tx, workspaceId, accountId, { lock: true })
  const goesOn = before !== null && before.frequency === body.frequency
  await writeChoice(tx, workspaceId, {
    ...body,
    accountId,
    coveredUntil: goesOn ? before.coveredUntil : daysBefore(now, body.frequency),
    nextAt: nextDigestAt(now, body),
    alertsSince: wantsAlerts(body) ? (before?.alertsSince ?? now) : null,
  })
  if (!wantsAlerts(body)) await stopMails(tx, workspaceId, accountId, 'alert')
}

/** Turning them off also drops a mail that waits. */
async function chooseAboutMe(tx: Tx, { workspaceId, accountId }: Caller, wanted: boolean): Promise<void> {
  if (wanted) await setWantsMails(tx, workspaceId, accountId, true)
  else await stopMails(tx, workspaceId, accountId, 'notice')
}
