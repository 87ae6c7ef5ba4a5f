import { readFileSync } from 'node:fs'
import path from 'node:path'

const docs = path.resolve(import.meta.dirname, '../../docs')

/**
 * A documented configuration file of docs/operations.md with other paths, so that a check runs what is documented in its own folders. Throws for a
 * path that the file does not contain, so that the two cannot diverge.
 */
export function documented(
  name: string,
  places: Readonly<Record<string, string>> = {},
  folder: 'database' | 'deployment' | 'monitoring' = 'database',
): string {
  let text = readFileSync(path.join(docs, folder, name), 'utf8')
  for (const [from, to] of Object.entries(places)) {
    if (!text.includes(from)) throw new Error(`docs/${folder}/${name} does not name ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** The settings of a PostgreSQL configuration file. */
export function settingsIn(text: string): Record<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, value] = /^(\w+) *= *'?(.*?)'?$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(lines)
}
