import {
  getSingleSignOn,
  linkSingleSignOn,
  removeSingleSignOn,
  type SsoSettings,
  saveSingleSignOn,
  switchSingleSignOn,
  testSingleSignOn,
} from '@groundswell/contract/accounts/single-sign-on.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { type ProviderRow, singleSignOn, siteUrl } from '../../auth/index.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import { checkedJson, PreparedReply } from '../../platform/http/prepared-reply.ts'
import type { Services } from '../../platform/services.ts'
import { isFreeMail } from '../customers/index.ts'

/** The calls on the single sign-on of a workspace. No key can make them. */
export function ssoRoutes(services: Services): Handler[] {
  const { linkOf, callbackPath } = singleSignOn
  return [
    handle(getSingleSignOn, async ({ caller }) => {
      const { provider, linked } = await singleSignOn.read(services, caller)
      return {
        available: services.config.hostedAuth === undefined,
        enabled: provider?.enabled ?? false,
        required: provider?.required ?? false,
        linked,
        sign_in_link: linkOf(services, caller.workspaceId),
        redirect_uri: `${siteUrl(services)}${callbackPath(caller.workspaceId)}`,
        settings: provider && caller.role === 'owner' ? viewSettings(provider) : null,
      }
    }),
    handle(saveSingleSignOn, async ({ caller, body, request }) => {
      if (services.config.hostedAuth) {
        throw new ContractError('not_configured', 'A hosted project signs people in here: set up single sign-on there')
      }
      refuseFreeMail(body.domains)
      const { issuer, client_id: clientId, client_secret: clientSecret, domains, default_role: defaultRole } = body
      const given = { issuer, clientId, clientSecret, domains, defaultRole }
      return { settings: viewSettings(await singleSignOn.save(services, caller, given, request)) }
    }),
    handle(switchSingleSignOn, async ({ caller, body, request }) => {
      await singleSignOn.switch(services, caller, body, request)
      return body
    }),
    handle(removeSingleSignOn, async ({ caller, request }) => {
      await singleSignOn.remove(services, caller, request)
      return { ok: true as const }
    }),
    handle(testSingleSignOn, async ({ caller, request }) => {
      const { url, setCookie } = await singleSignOn.test(services, caller, request)
      return new PreparedReply(200, { 'set-cookie': setCookie }, checkedJson(testSingleSignOn, { url }))
    }),
    handle(linkSingleSignOn, async ({ caller, request }) => {
      const { url, setCookie } = await singleSignOn.link(services, caller, request)
      return new PreparedReply(200, { 'set-cookie': setCookie }, checkedJson(linkSingleSignOn, { url }))
    }),
  ]
}

/** A public mail domain says nothing about who belongs to the workspace. */
function refuseFreeMail(domains: readonly string[]): void {
  const free = domains.find(isFreeMail)
  if (free === undefined) return
  throw new ContractError('invalid_input', `Anyone can have an address at ${free}`, {
    domains: `${free} is open to everyone`,
  })
}

function viewSettings({ issuer, clientId, domains, defaultRole, testedAt }: ProviderRow): SsoSettings {
  return {
    issuer,
    client_id: clientId,
    domains,
    default_role: defaultRole,
    tested_at: testedAt?.toISOString() ?? null,
  }
}
