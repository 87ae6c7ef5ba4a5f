import { Writable } from 'node:stream'
import { createLog } from '@groundswell/server/platform/log/log.ts'
import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { fillLogin } from './sign-in.ts'
import { ann, browser, stack, useAnn } from './workspace.ts'

const lines: string[] = []

useAnn(async () => {
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  return { log: createLog({ destination }) }
})

function loggedLink(): string | undefined {
  const found = lines.map((line) => JSON.parse(line) as { about?: string; link?: string })
  return found.findLast(({ about }) => about === 'recovery')?.link
}

test('without a mail server the screen explains it, and the link in the log works', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await page.goto('/auth?step=forgot')
  await page.getByText('Email is not set up on this server').waitFor()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByRole('button', { name: 'Create a link' }).click()
  await page.getByText('the link is now in the server log').waitFor()
  await expect.poll(loggedLink).toBeDefined()
  await page.goto(String(loggedLink()))
  await page.getByLabel('New password', { exact: true }).fill('another one that is long')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.waitForURL('**/insights')
  expect(faults).toEqual([])
  await close()
})

test('no mail is offered that cannot be sent', async () => {
  const { page, close } = await visit(browser, stack.url)
  await fillLogin(page, { email: ann.email, password: 'another one that is long' })
  await page.waitForURL('**/insights')
  await page.goto('/settings/you')
  await page.getByRole('button', { name: 'Change email' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Send confirmation email' }).count()).toBe(0)
  await close()
})
