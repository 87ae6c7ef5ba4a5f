import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Evidence } from './evidence.ts'

/** The prompt for names. A changed text is a new file with the next number: stored names say which one they were asked with. */
export const PROMPT_VERSION = 'describe-insight-1'

const FOLDER = path.join(import.meta.dirname, 'prompts')

/** The instructions of a prompt. */
export async function readInstructions(version: string): Promise<string> {
  return (await readFile(path.join(FOLDER, `${version}.md`), 'utf8')).trim()
}

/** The message about an insight: the engine's name, which is customers' words too, and the quotes. */
export function writeMessage(
  { title, quotes }: Pick<Evidence, 'title' | 'quotes'>,
  mark: string,
  complaint?: string,
): string {
  return writeData({ title, messages: quotes.map(({ text }) => text) }, mark, complaint)
}

/**
 * A message that holds data, as JSON between two lines with a mark that nobody could know. No angle bracket of the data
 * stays as it is, so that it can fake neither these lines nor the marks of chat formats. `complaint`, one of our own
 * texts, says why an earlier answer was not taken.
 */
export function writeData(data: object, mark: string, complaint?: string): string {
  const safe = JSON.stringify(data, null, 1).replace(/[<>]/g, (one) => (one === '<' ? '\\u003c' : '\\u003e'))
  const lines = [`<<<DATA ${mark}>>>`, safe, `<<<END ${mark}>>>`]
  if (complaint) lines.push('', `An earlier answer was not taken. ${complaint} Answer again.`)
  return lines.join('\n')
}
