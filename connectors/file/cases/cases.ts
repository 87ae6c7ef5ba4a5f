import type { Case } from './case.ts'
import { discussionExports } from './discussion-exports.ts'
import { everydayFiles } from './everyday-files.ts'
import { jsonFiles } from './json-files.ts'
import { productExports } from './product-exports.ts'
import { tables } from './tables.ts'
import { trackerExports } from './tracker-exports.ts'

/** All cases, by the heading under which `docs/files.md` lists them. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  'Exports of products': [...trackerExports, ...productExports, ...discussionExports],
  'Other files': [...everydayFiles, ...tables, ...jsonFiles],
}
