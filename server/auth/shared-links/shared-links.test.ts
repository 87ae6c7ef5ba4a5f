import { expect, it } from 'vitest'
import { accountRoutes } from '../../features/accounts/index.ts'
import { inAccount } from '../../platform/db/tenant.ts'
import { appOfFile } from '../../testing.ts'
import { displaceAccount } from '../account/claim.ts'
import { findAccountById } from '../account/store.ts'
import { createLink, listLinks, openLink } from './manage.ts'

const ORIGIN = { address: '192.0.2.1', headers: {} }

const test = appOfFile((services) => accountRoutes(services))

it('the links of somebody who loses the account to the owner of its address go, and are part of their own data before', async () => {
  const [ann, bo] = [await test.person('ann'), await test.person('bo')]
  const given = { issueNumber: 1, viewId: null, hideNames: true, hideQuotes: false, days: 7 }
  const share = async (as: typeof ann) =>
    (await createLink(test.services, as, given, ORIGIN, async () => undefined)).token
  const [lost, kept] = [await share(ann), await share(bo)]
  const opens = (token: string) => openLink(test.services, token, ORIGIN.address, async () => true)
  expect([await opens(lost), await opens(kept)]).toEqual([true, true])

  const data = (await test.call('GET', '/api/account/export', { as: ann })).json()
  expect(data.shared_links).toMatchObject([{ issue_number: 1, hide_names: true }])
  expect(JSON.stringify(data.shared_links)).not.toMatch(/hash/)

  await inAccount(test.services.db.accounts, bo.accountId, async (tx) => {
    const account = await findAccountById(tx, ann.accountId)
    if (account) await displaceAccount(tx, account, { at: new Date(), request: ORIGIN })
  })
  expect([await opens(lost), await opens(kept)]).toEqual([null, true])
  expect(await listLinks(test.services, ann.workspaceId)).toEqual([])
})
