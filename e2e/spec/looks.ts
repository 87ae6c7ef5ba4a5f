import type { Locator } from 'playwright-core'

/** What of the page's own world is used here; these tests are written without the types of a browser. */
type BrowserWorld = { getComputedStyle(element: unknown): { getPropertyValue(property: string): string } }

/** The computed value of one CSS property. */
export function styleOf(locator: Locator, property: string): Promise<string> {
  return locator
    .first()
    .evaluate(
      (element, name) =>
        (globalThis as unknown as BrowserWorld).getComputedStyle(element).getPropertyValue(name) as string,
      property,
    )
}

/** Whether a field would keep its form from being sent. */
export function isFieldInvalid(field: Locator): Promise<boolean> {
  return field.evaluate((input) => !(input as unknown as { checkValidity(): boolean }).checkValidity())
}

/** Whether a CSS colour is the red of failures. */
export function isRed(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return red > 1.5 * green && red > 1.5 * blue
}
