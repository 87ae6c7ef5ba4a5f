import type { DigestMail } from '@groundswell/contract/digests.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { siteUrl } from '../../auth/index.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { escaped, pagePolicy } from '../../platform/html.ts'
import { PreparedReply } from '../../platform/http/prepared-reply.ts'
import type { Services } from '../../platform/services.ts'
import { hashOf } from './send.ts'
import { enterByUnsubscribe, stopMails } from './store.ts'

const STYLE = [
  'body{font:16px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:26rem;padding:0 1.5rem;color:#1c1c1a;background:#fff}',
  'h1{font-size:1.25rem}button{font:inherit;padding:.4rem .9rem;border:0;border-radius:6px;color:#fff;background:#14706c;cursor:pointer}',
  'a{color:#14706c}@media(prefers-color-scheme:dark){body{color:#ececea;background:#171716}a{color:#6cc5bd}}',
].join('')
const POLICY = pagePolicy(STYLE, "'self'")

const NAMES: Readonly<Record<DigestMail['kind'], string>> = {
  digest: 'the digest',
  alert: 'alerts',
  notice: 'mails about assignments and mentions',
}

/** The page that asks whether to unsubscribe. */
export async function showPage(services: Services, token: string): Promise<PreparedReply> {
  const found = await withoutWorkspace(services.db, (tx) => enterByUnsubscribe(tx, hashOf(token)))
  if (!found) {
    const advice = `<p>It may have expired, or be incomplete. You can turn mails off in ${settings(services)}.</p>`
    return page('This link is not valid', advice)
  }
  const name = NAMES[found.kind]
  return page(`Unsubscribe from ${name}?`, '<form method="post"><button>Unsubscribe</button></form>')
}

/** Stops mails of the link's kind; repeating it changes nothing. Throws `not_found`: a mail program must not report success if nothing happened. */
export async function endMails(services: Services, token: string): Promise<PreparedReply> {
  const found = await withoutWorkspace(services.db, async (tx) => {
    const mail = await enterByUnsubscribe(tx, hashOf(token))
    if (mail) await stopMails(tx, mail.workspaceId, mail.accountId, mail.kind)
    return mail
  })
  if (!found) throw new ContractError('not_found', 'This unsubscribe link is not valid: turn mails off in Settings')
  return page(
    'You are unsubscribed',
    `<p>You will get no more mails of this kind. You can turn ${NAMES[found.kind]} on again in ${settings(services)}.</p>`,
  )
}

function settings(services: Services): string {
  return `<a href="${escaped(siteUrl(services))}/settings/notifications">Settings</a>`
}

function page(title: string, body: string): PreparedReply {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title} · Groundswell</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`
  return new PreparedReply(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }, html)
}
