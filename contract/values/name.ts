import * as z from 'zod/mini'

/** What ends a line or a column: a blank stands for it in a name that is kept. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
/** Control characters, and those that reverse the text after them on a screen, in a log line or in a mail. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const EVERY_CONTROL = /* @__PURE__ */ new RegExp(CONTROLS, 'gu')

/** For a schema of text that people or programs enter as a name: refuses control characters. A function, which the web app's build leaves out. */
export function noControls() {
  return z.refine<string>((text) => !hasControls(text), 'must not contain control characters')
}

/** Whether there is a control character in a text. */
export function hasControls(text: string): boolean {
  return CONTROLS.test(text)
}

/** A name that people or programs enter: trimmed, of 1 to `most` characters, none of them a control character. */
export function nameOf(most: number) {
  return z.string().check(z.trim(), z.minLength(1), z.maxLength(most), noControls())
}

/** A name from a provider or a file, which cannot be sent back: without its control characters. */
export function withoutControls(name: string): string {
  return hasControls(name) ? name.replaceAll(BREAKS, ' ').replaceAll(EVERY_CONTROL, '').trim() : name
}

/** The same; `instead` where nothing is left of it. */
export function visibleName<T extends string | null>(name: string, instead: T): string | T {
  return withoutControls(name) || instead
}
