import { launchBrowser, visit } from './browser.ts'
import { IMAGES, withDemo } from './running-demo.ts'

/** Takes the screenshots for the README from a running demo. `npm run picture` takes these and those of `tile-pictures.ts` and `evaluation-pictures.ts`. */
await withDemo(async ({ origin, token }) => {
  const browser = await launchBrowser()
  const { page } = await visit(browser, origin, { token })
  await page.goto('/insights?sort=-mentions')
  await page.getByRole('row').nth(1).click()
  await page.getByRole('dialog').getByText('Mentions by week').waitFor()
  await page.locator('[role=dialog] blockquote, [role=dialog] li').first().waitFor()
  await page.waitForFunction("document.querySelector('[role=dialog] .skeleton') === null")
  await page.screenshot({ path: `${IMAGES}/insights.png` })

  const panel = page.getByRole('dialog').first()
  await panel.getByRole('button', { name: 'Select mentions' }).click()
  await panel.getByRole('checkbox').nth(1).click()
  await panel
    .getByRole('checkbox')
    .nth(3)
    .click({ modifiers: ['Shift'] })
  await panel.getByRole('button', { name: 'Split off…' }).click()
  await panel.getByText('3 mentions become a separate insight.').waitFor()
  await page.screenshot({ path: `${IMAGES}/corrections.png` })
  await panel.getByRole('button', { name: 'Stop selecting' }).click()
  await panel
    .getByRole('button', { name: /^Correct what/ })
    .nth(1)
    .click()
  await page.getByRole('menuitem', { name: 'Why here?' }).click()
  await panel.getByText('Compared with').waitFor()
  await panel.getByRole('region', { name: 'Why here?' }).scrollIntoViewIfNeeded()
  await page.screenshot({ path: `${IMAGES}/why-here.png` })

  await page.goto('/insights?group=theme&sort=-mentions')
  const themes = page.getByRole('table', { name: 'Insights by theme' }).locator('[data-row][aria-label]')
  await themes.first().click()
  await page.screenshot({ path: `${IMAGES}/themes.png` })

  await page.goto('/ungrouped')
  const search = page.getByRole('searchbox')
  const mentions = page.getByRole('list', { name: 'Mentions not in an insight' }).getByRole('listitem')
  for (const said of ['export timed out', 'main gripe is exporting']) {
    await search.fill(said)
    await mentions.filter({ hasText: said }).getByRole('checkbox').check()
  }
  await search.fill('')
  await page.getByRole('button', { name: 'Most similar first' }).click()
  await page.getByText('Sorted by similarity').waitFor()
  await page.screenshot({ path: `${IMAGES}/ungrouped.png` })

  await page.goto('/ungrouped?kind=request')
  await mentions.first().waitFor()
  await page
    .getByRole('button', { name: /^Kind: / })
    .first()
    .click()
  await page.getByRole('menu').waitFor()
  await page.screenshot({ path: `${IMAGES}/kinds.png` })

  // They need the vectors of sentences, which arrive after the words are grouped.
  await page.goto('/insights')
  const emerging = page.getByRole('button', { name: /^Emerging/ })
  await emerging.waitFor({ timeout: 300_000 })
  await emerging.click()
  const section = page.getByRole('region', { name: /^Emerging/ })
  await section
    .getByRole('button', { name: /^Dismiss/ })
    .first()
    .waitFor()
  await section.scrollIntoViewIfNeeded()
  await page.screenshot({ path: `${IMAGES}/emerging.png` })

  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${origin}/api/insights/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
  let most = { issue: 0, total: 0 }
  for (const { issue_number: issue } of (await get('get-all')) as { issue_number: number }[]) {
    const { total } = (await get(`${issue}/suggestions`)) as { total: number }
    if (total > most.total) most = { issue, total }
  }
  await page.goto(`/insights?issue=${most.issue}`)
  const more = page.getByRole('region', { name: /more may belong here$/ })
  await more.waitFor()
  await more.scrollIntoViewIfNeeded()
  await page.screenshot({ path: `${IMAGES}/suggestions.png` })
  await browser.close()
})
