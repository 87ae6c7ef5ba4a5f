import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The instructions of a task: `prompt.md` in its folder. */
export async function readInstructions(folder: string): Promise<string> {
  return (await readFile(path.join(folder, 'prompt.md'), 'utf8')).trim()
}

/** A mark for `writeData`, new for each message. */
export function newMark(): string {
  return randomUUID().slice(0, 8)
}

/**
 * A message that carries data, as JSON between two lines with a mark that no one could guess. Angle brackets in the data are
 * escaped, so it can fake neither these lines nor the marks of chat formats. `complaint`, one of our own texts, states why an
 * earlier answer was refused. `compact`: on one line, which takes fewer tokens.
 */
export function writeData(
  data: object,
  mark: string,
  { complaint, compact = false }: { complaint?: string | undefined; compact?: boolean } = {},
): string {
  const safe = JSON.stringify(data, null, compact ? 0 : 1).replace(/[<>]/g, (one) =>
    one === '<' ? '\\u003c' : '\\u003e',
  )
  const lines = [`<<<DATA ${mark}>>>`, safe, `<<<END ${mark}>>>`]
  if (complaint) lines.push('', `An earlier answer was not taken. ${complaint} Answer again.`)
  return lines.join('\n')
}
