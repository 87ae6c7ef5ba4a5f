import { connectors } from '@groundswell/connectors/index.ts'
import { DemoClient } from '@groundswell/server/demo/client.ts'
import type { Browser } from 'playwright-core'
import { type Look, launchBrowser, visit } from './browser.ts'
import { IMAGES, type RunningDemo, withDemo } from './running-demo.ts'

/** Takes the screenshots for docs/connectors.md from a running demo: the tiles, what can be chosen for each, and states of items. */

const POLL_MS = 250
/** Each in one look, so that both themes and both widths are seen. */
const LOOKS: Record<string, Look> = { zendesk: { theme: 'dark' }, jira: { width: 390 } }

type Insight = { issue_number: number; issue_name: string; status: string; mention_count: number }

await withDemo(async (demo) => {
  const browser = await launchBrowser()
  for (const { manifest, choices } of connectors) {
    if (choices) await picturePicker(browser, demo, manifest)
  }
  await pictureStates(browser, demo)
  await pictureTiles(browser, demo)
  await browser.close()
})

async function pictureTiles(browser: Browser, { origin, token }: RunningDemo): Promise<void> {
  const { page, close } = await visit(browser, origin, { token })
  await page.goto('/integrations')
  await page.locator('[data-tile][data-status=connected]').nth(10).waitFor()
  await page.screenshot({ path: `${IMAGES}/integrations.png` })
  await close()
}

/** What can be chosen for a connection, as it is changed. */
async function picturePicker(
  browser: Browser,
  { origin, token }: RunningDemo,
  { id, label }: { id: string; label: string },
): Promise<void> {
  const { page, close } = await visit(browser, origin, { token, ...LOOKS[id] })
  await page.goto('/integrations')
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: 'Details' }).click()
  const panel = page.getByRole('dialog', { name: label })
  await panel.getByRole('button', { name: /^(Choose|Change)$/ }).click()
  await panel.getByRole('button', { name: 'Save' }).waitFor()
  await panel.screenshot({ path: `${IMAGES}/choices/${id}.png` })
  await close()
}

/** An insight whose card was closed, then mentioned again. */
async function pictureStates(browser: Browser, { origin, token, trackers }: RunningDemo): Promise<void> {
  const client = new DemoClient(origin, token)
  const { page, close } = await visit(browser, origin, { token })
  const insights = async (): Promise<Insight[]> => {
    const response = await fetch(`${origin}/api/insights/get-all`, { headers: { authorization: `Bearer ${token}` } })
    return (await response.json()) as Insight[]
  }
  const inBoard = await visit(browser, trackers)
  await inBoard.page.goto('/')
  const [chosen] = (await insights())
    .filter(({ status }) => status === 'pushed')
    .toSorted((one, other) => other.mention_count - one.mention_count)
  if (!chosen) throw new Error('No insight is pushed')
  const becomes = async (status: string) => {
    while (!(await insights()).some((one) => one.issue_number === chosen.issue_number && one.status === status)) {
      await page.waitForTimeout(POLL_MS)
    }
  }
  const picture = async (name: string) => {
    await page.goto(`/insights?issue=${chosen.issue_number}`)
    await page.getByRole('dialog').getByRole('link', { name: /^#/ }).first().waitFor()
    await page.getByRole('dialog').getByText('Mentions by week').waitFor()
    await page.screenshot({ path: `${IMAGES}/${name}.png` })
  }
  // By its number: a card keeps the title that its insight had at first.
  await page.goto(`/insights?issue=${chosen.issue_number}`)
  const link = await page.getByRole('dialog').getByRole('link', { name: /^#/ }).first().innerText()
  const number = /^#\d+/.exec(link)?.[0] ?? link
  const card = inBoard.page.locator('.card', { has: inBoard.page.getByText(number, { exact: true }) })
  await card.getByRole('button', { name: /^Close/ }).click()
  await becomes('resolved')
  await picture('resolved')
  await client.importFile('again.csv', `id,text\n1,"${chosen.issue_name}"`, new AbortController().signal)
  await becomes('regressed')
  await picture('regressed')
  await inBoard.close()
  await close()
}
