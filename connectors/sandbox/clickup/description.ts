import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Description, readDescription } from '../openapi.ts'

function findFile(): string | null {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'shared/specs/providers/clickup.openapi.json')
    if (existsSync(file)) return file
    if (folder === path.dirname(folder)) return null
  }
}

/** Reads ClickUp's description, which has no shared parameters. */
export function readClickUp(text: string): Description {
  const document = JSON.parse(text) as { components?: Record<string, unknown> }
  return readDescription({ ...document, components: { parameters: {}, ...document.components } })
}

const file = findFile()

/** ClickUp's official description, if someone keeps it beside the project; it is not part of it. Null: it is not there. */
export const officialDescription = file === null ? null : readClickUp(readFileSync(file, 'utf8'))
