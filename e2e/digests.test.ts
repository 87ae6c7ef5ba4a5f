import { type MailServer, mailServer } from '@groundswell/server/platform/mail/testing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks } from './looks.ts'
import { sweepTomorrow } from './sweeps.ts'
import { toast } from './toast.ts'
import { call, page, stack, useWorkspace } from './workspace.ts'

let mail: MailServer

useWorkspace({
  config: { authAutoconfirm: true },
  file: csvOf(peopleSaying),
  prepare: async () => {
    await call('POST', '/api/insights/themes', { name: 'Export' })
  },
})
beforeAll(async () => {
  mail = await mailServer()
})
afterAll(() => mail.stop())

const section = () => page.locator('section', { has: page.getByRole('heading', { name: 'E-mail', exact: true }) })
const often = () => section().getByLabel('How often')

test('without a mail server the section says which setting is missing', async () => {
  await page.goto('/settings/notifications')
  await section().getByText('the server’s operator sets SMTP_URL and MAIL_FROM').waitFor()
  await expect.poll(() => often().isEnabled()).toBe(false)
})

test('a digest is chosen, and previewed as it then arrives', async () => {
  stack.services.config.smtpUrl = mail.url
  await page.goto('/settings/notifications')
  await often().selectOption('Weekly')
  await toast(page, 'Settings saved').waitFor()
  await section().getByLabel('Day').selectOption('Friday')
  await section()
    .getByText(/Next: .*, to ann@example\.com\./)
    .waitFor()
  await often().selectOption('Daily')
  // Each choice is sent with the others as they are then.
  await section().getByLabel('Day').waitFor({ state: 'detached' })
  await section().getByLabel('Hour').selectOption('07:00')
  await expect.poll(() => page.locator('button[type=submit]').count()).toBe(1)
  await section().getByRole('button', { name: 'Preview…', exact: true }).click()
  const frame = page.getByRole('dialog').locator('iframe')
  const shown = frame.contentFrame()
  await shown.getByRole('listitem').first().waitFor()
  // The mail runs nothing and sends nothing.
  await expect
    .poll(() => frame.getAttribute('sandbox'))
    .toBe('allow-same-origin allow-popups allow-popups-to-escape-sandbox')
  await expect.poll(() => shown.getByRole('link').first().getAttribute('target')).toBe('_blank')
  await expect
    .poll(() =>
      page.evaluate(`(() => {
        const { clientHeight, contentDocument } = document.querySelector('iframe')
        return contentDocument.body.scrollHeight <= clientHeight
      })()`),
    )
    .toBe(true)
  expect(await problemsInLooks(page, 'digest-preview')).toEqual([])
  const [first] = /<li>.*?<\/li>/s.exec((await frame.getAttribute('srcdoc')) ?? '') ?? []
  expect(first).toContain('mentions')
  await sweepTomorrow(stack, 'digest-sweep')
  expect((await mail.newest('ann@example.com')).html).toContain(first)
})

test('alerts are chosen with themes and quiet hours; what was sent is listed', async () => {
  await page.goto('/settings/notifications')
  await section().getByRole('switch', { name: 'Spike' }).click()
  await section().getByRole('button', { name: 'Set quiet hours' }).click()
  await section().getByLabel('Quiet until').selectOption('07:00')
  await section().getByText('Alerts are held back, then sent in one mail').waitFor()
  await section().getByRole('button', { name: 'Choose themes…' }).click()
  const themes = page.getByRole('dialog', { name: 'Watch themes' })
  await themes.getByText('Export', { exact: true }).click()
  await themes.getByRole('button', { name: 'Save' }).click()
  await section().getByText('You are watching 1 theme.').waitFor()
  await section().getByRole('button', { name: 'Preview alerts…' }).click()
  await page.getByText(/last seven days/).waitFor()
  await page.goto('/settings/notifications')
  await section().getByText('Sent', { exact: true }).waitFor()
  await section().scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'digest-settings')).toEqual([])
})

test('the link in a mail ends it, after a click', async () => {
  const link = new URL(/Unsubscribe: (\S+)/.exec((await mail.newest('ann@example.com')).text)?.[1] ?? '')
  await page.goto(link.pathname)
  await page.getByRole('button', { name: 'Unsubscribe' }).waitFor()
  expect(await problemsInLooks(page, 'digest-unsubscribe')).toEqual([])
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect.poll(() => often().inputValue()).toBe('off')
})
