import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilIdle } from '../browser.ts'
import { onBothStacks, onOurServer } from './stacks.ts'

const GET_ALL = 'GET /api/insights/get-all'
const HOUR = 3_600_000

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR - 60_000).toISOString()

type Given = { name: string; status: string; hours: number; categories?: unknown[] }

/** Insights with the fields of the spec and no others. */
const list = (given: Given[]) =>
  given.map(({ name, status, hours, categories = [] }, index) => ({
    issue_number: index + 1,
    issue_name: name,
    summary: `What people say of ${name}`,
    status,
    last_updated: hoursAgo(hours),
    evidence: [{ text: `A quote about ${name}`, link: 'https://example.com/thread/1', date: hoursAgo(hours) }],
    categories,
  }))

const three: Given[] = [
  { name: 'Bravo', status: 'created', hours: 30 },
  { name: 'Alpha', status: 'pushed', hours: 2 },
  { name: 'Charlie', status: 'something new', hours: 400 },
]

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const order = async (page: Page) =>
  (await page.getByRole('row').allInnerTexts()).flatMap((text) => /Alpha|Bravo|Charlie/.exec(text)?.[0] ?? [])
const column = (page: Page, name: string) =>
  page.getByRole('columnheader').getByRole('button', { name: new RegExp(`^${name}`) })

/** A time as the browser of this machine formats it. */
const momentOf = (page: Page, iso: string) =>
  page.evaluate(
    (text) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(text)),
    iso,
  )

onBothStacks('insights', (stack) => {
  test('every field of an insight is on screen; its menu has Push only when it is created, and Delete always', async () => {
    const evidence = [
      { text: 'The export hangs', link: 'https://example.com/thread/1', date: '2026-09-14T10:05:00.000Z' },
      { text: 'It stops half-way', link: 'https://example.com/thread/2', date: '2026-08-02T17:30:00.000Z' },
    ]
    const categories = [
      { cat_name: 'Risk', cat_type: 'calculated', option_value: 3.26, option_colour: null },
      { cat_name: 'Seats', cat_type: 'number', option_value: 41.7, option_colour: null },
      { cat_name: 'Area', cat_type: 'category', option_value: 'Billing area', option_colour: '#aa3300' },
    ]
    const [bravo, alpha, charlie] = list(three)
    const insight = { ...charlie, last_updated: hoursAgo(400), issue_number: 4711, evidence, categories }
    stack.front.answer(GET_ALL, [bravo, alpha, insight])
    const { page, faults, close } = await stack.open('/insights')
    for (const [name, entries] of [
      ['Bravo', ['Push', 'Delete']],
      ['Alpha', ['Delete']],
      ['Charlie', ['Delete']],
    ] as const) {
      await rowOf(page, name)
        .getByRole('button', { name: /^Actions for/ })
        .click()
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
      const found = await page.getByRole('menuitem').allTextContents()
      expect(
        found.filter((entry) => /^(Push|Delete)/.test(entry)),
        `the menu of ${name}`,
      ).toEqual(entries)
      await untilIdle(page)
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
    }

    const row = rowOf(page, 'Charlie')
    await row.getByText('something new', { exact: true }).waitFor()
    await expect
      .poll(() => row.locator('time').getAttribute('datetime'), { message: 'when it was updated' })
      .toBe(insight.last_updated)
    await row.click()
    const panel = page.getByRole('dialog', { name: 'Charlie' })
    await panel.getByText('#4711', { exact: true }).waitFor()
    await panel.getByText('What people say of Charlie', { exact: true }).waitFor()
    await panel.getByText('something new', { exact: true }).waitFor()
    await panel.getByText(`updated ${await momentOf(page, insight.last_updated)}`, { exact: true }).waitFor()
    for (const { text, link, date } of evidence) {
      const mention = panel.getByRole('listitem').filter({ hasText: text })
      await expect
        .poll(() => mention.getByRole('link').getAttribute('href'), { message: `the link of ${text}` })
        .toBe(link)
      await expect
        .poll(() => mention.locator('time').textContent(), { message: `the date of ${text}` })
        .toBe(await momentOf(page, date))
    }
    for (const value of [/(^|\D)3\.3$/, /(^|\D)42$/, /Billing area$/]) await panel.getByText(value).first().waitFor()
    await expect.poll(() => page.getByText('3.26').count(), { message: 'a calculated category has 1 decimal' }).toBe(0)
    await expect.poll(() => page.getByText('41.7').count(), { message: 'a number is rounded' }).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('the list is fetched every 15 s', async () => {
    stack.front.answer(GET_ALL, list(three))
    const { page, close } = await stack.open('/auth', { own: true, token: '' })
    await page.clock.install()
    await page.evaluate((token) => localStorage.setItem('token', token), stack.ann.token)
    await page.goto('/insights')
    await rowOf(page, 'Alpha').waitFor()
    const polled = () => page.waitForResponse((response) => response.url().endsWith('/api/insights/get-all'))
    // The minute that is skipped is long enough for a fetch.
    const skipped = polled()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await page.clock.runFor(100)
    await (await skipped).finished()
    let polls = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/insights/get-all')) polls += 1
    })
    const shows = (name: string) =>
      expect
        .poll(async () => {
          await page.clock.runFor(20)
          return rowOf(page, name).count()
        })
        .toBe(1)
    stack.front.answer(GET_ALL, list([{ name: 'Delta', status: 'created', hours: 0 }]))
    await page.clock.runFor(15_000)
    await shows('Delta')
    stack.front.answer(GET_ALL, list([{ name: 'Echo', status: 'created', hours: 0 }]))
    polls = 0
    for (let seconds = 0; seconds < 15; seconds += 1) await page.clock.runFor(1_000)
    await shows('Echo')
    expect(polls).toBe(1)
    await close()
  })
})

onOurServer('the list of insights', (stack) => {
  test('the list has three rows while it loads, is sorted by a click on a column, and opens a panel of 520 px at the right', async () => {
    stack.front.answer(GET_ALL, list(three))
    const release = stack.front.hold(GET_ALL)
    const { page, faults, close } = await stack.open('/insights')
    await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
    const skeleton = page.locator('table[aria-busy=true]')
    await skeleton.waitFor()
    await expect.poll(() => skeleton.locator('tbody tr').count(), { message: 'rows while loading' }).toBe(3)
    await expect.poll(() => skeleton.locator('th').allTextContents()).toEqual(['Name', 'Status', 'Updated'])
    release()
    await skeleton.waitFor({ state: 'detached' })
    await rowOf(page, 'Alpha').waitFor()
    await expect.poll(() => order(page)).toEqual(['Alpha', 'Bravo', 'Charlie'])
    await column(page, 'Updated').click()
    await expect.poll(() => order(page)).toEqual(['Charlie', 'Bravo', 'Alpha'])
    await column(page, 'Updated').click()
    await expect.poll(() => order(page)).toEqual(['Alpha', 'Bravo', 'Charlie'])
    await column(page, 'Status').click()
    await expect.poll(() => order(page)).toEqual(['Bravo', 'Alpha', 'Charlie'])
    await column(page, 'Name').click()
    await expect.poll(() => order(page)).toEqual(['Alpha', 'Bravo', 'Charlie'])
    await column(page, 'Name').click()
    await expect.poll(() => order(page)).toEqual(['Charlie', 'Bravo', 'Alpha'])

    const panel = page.getByRole('dialog')
    const row = rowOf(page, 'Bravo')
    await row.click()
    await panel.getByText('What people say of Bravo').waitFor()
    await panel.getByText('A quote about Bravo').first().waitFor()
    const edges = async () => {
      const box = await panel.boundingBox()
      return [box?.width, (box?.x ?? 0) + (box?.width ?? 0)]
    }
    await expect.poll(edges).toEqual([520, 1440])
    await untilIdle(page)
    await page.mouse.click(400, 850)
    await panel.waitFor({ state: 'detached' })
    await row.click()
    await panel.getByRole('button', { name: /^Close/ }).click()
    await panel.waitFor({ state: 'detached' })
    await row.click()
    await panel.waitFor()
    await untilIdle(page)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await close()
  })

  test('times are now, h, d, w, months of 744 hours and years of 8760', async () => {
    const hours = {
      now: 0,
      '1h': 1,
      '23h': 23,
      '1d': 24,
      '6d': 167,
      '1w': 168,
      '4w': 743,
      '1m': 744,
      '11m': 8_759,
      '1y': 8_760,
    }
    const given = Object.entries(hours).map(([words, ago]) => ({
      name: `is ${words} old`,
      status: 'created',
      hours: ago,
    }))
    stack.front.answer(GET_ALL, list(given))
    const { page, close } = await stack.open('/insights')
    for (const words of Object.keys(hours)) {
      const time = rowOf(page, `is ${words} old`).locator('time')
      await expect.poll(() => time.textContent()).toBe(words)
    }
    await close()
  })

  test('a fetch that fails is only logged, and loading ends', async () => {
    for (const fault of [500, 'drop'] as const) {
      stack.front.fail(GET_ALL, fault)
      const { page, faults, close } = await stack.open('/robots.txt')
      const logged: string[] = []
      page.on('console', (message) => void logged.push(message.text()))
      await page.goto('/insights')
      await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      await expect.poll(() => logged.join()).toContain('Insights could not be loaded')
      await expect.poll(() => page.locator('li.toast').count()).toBe(0)
      expect(faults).toEqual([])
      await close()
    }
  })
})
