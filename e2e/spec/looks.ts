import type { Locator } from 'playwright-core'

/** The computed value of one CSS property. */
export function styleOf(locator: Locator, property: string): Promise<string> {
  return locator.first().evaluate(`(element) => getComputedStyle(element).getPropertyValue('${property}')`)
}

/** Whether a CSS colour is the red of failures. */
export function isRed(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return red > 1.5 * green && red > 1.5 * blue
}
