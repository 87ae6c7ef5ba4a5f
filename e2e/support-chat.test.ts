import { describe, expect, test } from 'vitest'
import { untilIdle, visit } from './browser.ts'
import { ann, browser, stack, useAnn } from './workspace.ts'

useAnn()

const signIn = async () => {
  const { email, password } = ann
  return ((await stack.call('', 'POST', '/api/auth/login', { email, password })) as { token: string }).token
}

/** What each provider's script does, as far as we use it: it records its calls and puts its button on the page. */
const widgets = [
  {
    provider: 'intercom',
    host: null,
    script: 'https://widget.intercom.io/widget/site-1',
    policy: 'https://*.intercom.io',
    body: `window.calls = window.Intercom.q.slice(); window.Intercom = (...args) => window.calls.push(args)
      const button = document.createElement('div'); button.id = 'intercom-container'; document.body.append(button)`,
    identity: [
      'boot',
      { api_base: 'https://api-iam.intercom.io', app_id: 'site-1', name: 'Ann', email: 'ann@example.com' },
    ],
    end: ['shutdown'],
    trace: '#intercom-container',
  },
  {
    provider: 'crisp',
    host: null,
    script: 'https://client.crisp.chat/l.js',
    policy: 'https://*.crisp.chat',
    body: `window.calls = [...window.$crisp]; window.$crisp = { push: (entry) => window.calls.push(entry) }
      const button = document.createElement('div'); button.className = 'crisp-client'; document.body.append(button)`,
    identity: ['set', 'user:email', ['ann@example.com']],
    end: ['do', 'session:reset'],
    trace: '.crisp-client',
  },
  {
    provider: 'chatwoot',
    host: 'https://chat.example.com',
    script: 'https://chat.example.com/packs/js/sdk.js',
    policy: 'https://chat.example.com',
    body: `window.calls = []
      const note = (name) => (...args) => window.calls.push([name, ...args])
      window.$chatwoot = { setUser: note('setUser'), reset: note('reset'), toggleBubbleVisibility: note('toggle') }
      window.chatwootSDK = { run(options) {
        note('run')(options)
        const button = document.createElement('div'); button.className = 'woot--bubble-holder'; document.body.append(button)
        window.dispatchEvent(new Event('chatwoot:ready'))
      } }`,
    identity: ['setUser', 'ann@example.com', { name: 'Ann', email: 'ann@example.com' }],
    end: ['reset'],
    trace: '.woot--bubble-holder',
  },
] as const

const policyOf = async () => (await fetch(`${stack.url}/insights`)).headers.get('content-security-policy')

describe.each(widgets)('$provider', ({ provider, host, script, policy, body, identity, end, trace }) => {
  test('is there for signed-in users only, knows who they are, and is gone after logging out', async () => {
    stack.services.config.chat = { provider, id: 'site-1', host }
    expect(await policyOf()).toContain(policy)
    const { page, faults, close } = await visit(browser, stack.url, { token: await signIn() })
    let fetched = 0
    await page.route(script, (route) => {
      fetched += 1
      return route.fulfill({ contentType: 'text/javascript', body })
    })
    const calls = () => page.evaluate<unknown[]>('window.calls ?? []')
    await page.goto('/settings')
    await page.locator(trace).waitFor({ state: 'attached' })
    await expect.poll(calls).toContainEqual(identity)
    await page.getByText('ann@example.com').first().click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/auth')
    await page.getByText('or login with email').waitFor()
    await expect.poll(() => page.locator(trace).count()).toBe(0)
    await expect.poll(calls).toContainEqual(end)
    expect(fetched).toBe(1)
    await page.reload()
    await page.getByText('or login with email').waitFor()
    expect(fetched).toBe(1)
    expect(faults).toEqual([])
    await close()
  })
})

test('without one nothing is fetched, and the policy names no host and no inline style', async () => {
  stack.services.config.chat = undefined
  const policy = await policyOf()
  expect(policy).not.toMatch(/https:|unsafe-inline/)
  const { page, faults, close } = await visit(browser, stack.url, { token: await signIn() })
  const outside: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(stack.url)) outside.push(request.url())
  })
  await page.goto('/settings/developers')
  // Like the chat, this section is loaded after the first view, once the configuration is known.
  await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
  await untilIdle(page)
  expect([outside, faults]).toEqual([[], []])
  await close()
})
