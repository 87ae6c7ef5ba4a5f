import type { Locator } from 'playwright-core'

/** The browser globals used here; these tests have no DOM types. */
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

export type ColourName = 'grey' | 'orange' | 'green' | 'red'

/** The common name of a CSS colour by its hue; undefined for others and for invisible ones. */
export function colourName(colour: string): ColourName | undefined {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  const most = Math.max(red, green, blue)
  const range = most - Math.min(red, green, blue)
  if (alpha < 0.5) return undefined
  if (range < 0.2 * most) return most > 60 && most < 220 ? 'grey' : undefined
  const sector =
    most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range
  const hue = (sector * 60 + 360) % 360
  if (hue < 15 || hue > 345) return 'red'
  if (hue > 20 && hue < 45) return 'orange'
  return hue > 90 && hue < 165 ? 'green' : undefined
}

type Box = { x: number; y: number; width: number; height: number }

/** Where an element is drawn. Throws when it is not drawn at all. */
export async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('The element is not drawn')
  return box
}

/** The options of a select: the text of each with its value. */
export function optionsOf(select: Locator): Promise<[words: string, value: string][]> {
  return select
    .locator('option')
    .evaluateAll((all) =>
      (all as unknown as { text: string; value: string }[]).map(({ text, value }) => [text, value] as [string, string]),
    )
}

/** Whether a field prevents its form from being submitted. */
export function isFieldInvalid(field: Locator): Promise<boolean> {
  return field.evaluate((input) => !(input as unknown as { checkValidity(): boolean }).checkValidity())
}

/** Whether a CSS colour is the red used for failures. */
export function isRed(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return red > 1.5 * green && red > 1.5 * blue
}
