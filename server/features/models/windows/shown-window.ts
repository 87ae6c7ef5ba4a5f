import { speaksToModels } from '../injection.ts'
import { oneLine, withoutAddresses } from '../plain-text.ts'
import { newMark, writeData } from '../prompt.ts'

/** The most of one message that is sent, in characters. */
const MAX_TEXT = 2_000

/**
 * Messages as they are sent to a model, as JSON between two marks, with `more` in the same object: no authors, links and addresses, and no message
 * that addresses a model. Each keeps its place in `messages` as its id.
 */
export function writeWindow(messages: readonly { text: string }[], more: object = {}): string {
  const shown = messages.flatMap(({ text }, at) => {
    const line = oneLine(withoutAddresses(text), MAX_TEXT)
    return line === '' || speaksToModels(text) ? [] : [{ id: `m${at + 1}`, text: line }]
  })
  return writeData({ ...more, messages: shown }, newMark(), { compact: true })
}
