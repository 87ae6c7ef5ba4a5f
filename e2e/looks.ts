import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Look } from './browser.ts'

/** The small form: the page reads it in half the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

type Theme = 'light' | 'dark'
type Width = 1440 | 390

/** A theme and a width in which a screen is looked at. */
export type Shown = readonly [theme: Theme, width: Width]

/** Every look. Neighbours differ by one step, and the last is one step from the first. */
const EVERY_LOOK: readonly Shown[] = [
  ['light', 1440],
  ['dark', 1440],
  ['dark', 390],
  ['light', 390],
]

/** Both themes at this width. */
export const bothThemes = (width: Width): readonly Shown[] => [
  ['light', width],
  ['dark', width],
]

const HEIGHTS = { 1440: 900, 390: 844 }

/** The rules of axe whose result depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

type Audit = { except?: string | undefined; rules?: readonly string[] }

/** Runs axe where it has been loaded before, which takes longer than most of its rules. */
const auditAgain = (page: Page, { except, rules }: Audit) =>
  page.evaluate<string[]>(`axe
    .run(${except ? JSON.stringify({ exclude: [[except]] }) : 'document'}, {
      ${rules ? `runOnly: ${JSON.stringify(rules)},` : ''}
      resultTypes: ['violations'],
    })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`)

/** What axe finds on the page, except in what `except` selects: the rule and the elements that break it. */
export async function problemsOf(page: Page, except?: string): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE)
  return auditAgain(page, { except })
}

/** A screenshot of a page or a part of it for people who look, in the folder GROUNDSWELL_PICTURES; none is taken without it. */
export async function picture(shown: Page | Locator, name: string): Promise<void> {
  const folder = process.env.GROUNDSWELL_PICTURES
  if (folder) await shown.screenshot({ path: `${folder}/${name}.png` })
}

/** By how many pixels the page or its screen scrolls sideways, and the frame of the app downwards: only what is in the frame scrolls. */
const strayScroll = (page: Page) =>
  page.evaluate<[number, number]>(`(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
    const screen = document.getElementById('main')
    const sideways = Math.max(scrollWidth - clientWidth, screen ? screen.scrollWidth - screen.clientWidth : 0)
    return [sideways, screen ? scrollHeight - clientHeight : 0]
  })()`)

/** Texts for screen readers that are positioned outside of the area that they scroll in: they make the page longer than it looks. */
const strayTexts = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.sr-only')]
    .filter((one) => {
      const area = one.parentElement?.closest('.overflow-auto, .overflow-x-auto, .overflow-y-auto')
      return area && one.offsetParent && !area.contains(one.offsetParent)
    })
    .map(({ textContent }) => textContent)`)

/** Switches the width of an open page, and waits until it is drawn so. Does not return while the page's clock is stopped. */
export async function widen(page: Page, width: Width): Promise<void> {
  if (page.viewportSize()?.width === width) return
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await expect.poll(() => page.evaluate('innerWidth')).toBe(width)
  // What observes its size is drawn again in the second frame.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

/** The theme of the system, and that of the page. The pages without a choice of their own have only the first. */
const THEMES = `(() => {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  return [system, document.documentElement.dataset.theme ?? system]
})()`

/** When a transition ends, elements that inherit the color may begin another one. What is in a closed disclosure makes no progress. */
const TRANSITIONS_OVER = `(async () => {
  for (;;) {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const running = document
      .getAnimations()
      .filter((one) => one instanceof CSSTransition && one.effect.target.checkVisibility())
    if (running.length === 0) return
    await Promise.allSettled(running.map(({ finished }) => finished))
  }
})()`

/** Switches theme and width of an open page, and waits until it is drawn so: the system's theme is applied, and every transition is over. */
async function show(page: Page, [theme, width]: Shown): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await expect.poll(() => page.evaluate(THEMES)).toEqual([theme, theme])
  await widen(page, width)
  await page.evaluate(TRANSITIONS_OVER)
}

/** Calls `look` in each of these looks of an open page, switched in place. They are at the end as they were in the beginning. */
async function inLooks(page: Page, looks: readonly Shown[], look: (shown: Shown) => Promise<void>): Promise<void> {
  const before = await page.evaluate<Shown>(
    `[matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light', innerWidth]`,
  )
  for (const shown of looks) {
    await show(page, shown)
    await look(shown)
  }
  await show(page, before)
}

/** A `picture` of a page in every look. */
export async function pictures(page: Page, name: string): Promise<void> {
  if (!process.env.GROUNDSWELL_PICTURES) return
  await inLooks(page, EVERY_LOOK, ([theme, width]) => picture(page, `${name}-${theme}-${width}`))
}

/**
 * What is wrong with the state in which a page is, in each of these looks: what axe finds, and by how much the page scrolls past the frame; empty
 * if nothing is. Theme and width are switched in place, and are at the end as they were in the beginning; after a change of the theme alone,
 * axe checks the colours only. `except` selects what axe leaves out. Takes a `picture` of each.
 */
export async function problemsInLooks(
  page: Page,
  name: string,
  { looks = EVERY_LOOK, except }: { looks?: readonly Shown[]; except?: string } = {},
): Promise<string[]> {
  const problems: string[] = []
  let checked: Width | undefined
  await inLooks(page, looks, async ([theme, width]) => {
    const found = await (width === checked
      ? auditAgain(page, { except, rules: COLOUR_RULES })
      : problemsOf(page, except))
    checked = width
    const stray = await strayScroll(page)
    if (stray.some((pixels) => pixels !== 0)) found.push(`scrolls by ${stray.join(' and ')} px`)
    for (const text of await strayTexts(page))
      found.push(`“${text}” is positioned outside of the area that it scrolls in`)
    problems.push(...found.map((problem) => `${name} ${theme} ${width}: ${problem}`))
    await picture(page, `${name}-${theme}-${width}`)
  })
  return problems
}

/**
 * Checks a screen in both themes and widths, where what is on it differs on a phone, which has no pointer that hovers: `open` opens a page on each,
 * `check` waits for the state, and the theme is switched in place.
 */
export async function eachLook(
  name: string,
  open: (look: Look) => Promise<Page>,
  check: () => Promise<void>,
): Promise<void> {
  for (const width of [1440, 390] as const) {
    const page = await open({ theme: 'light', width })
    await check()
    expect(await problemsInLooks(page, name, { looks: bothThemes(width) })).toEqual([])
  }
}
