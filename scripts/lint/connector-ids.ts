import { readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * A connector is known only by its folder and its line in `connectors/index.ts`: no other code of the product names one, so that
 * the next one needs no change elsewhere. A lint rule over the texts of a file.
 */
const root = path.resolve(import.meta.dirname, '../..')

const NOT_CONNECTORS = new Set([
  'conformance',
  'kit',
  'sandbox',
  '_template',
  '_template-source',
  '_template-tracker',
  'node_modules',
])

/** The ids of the product's connectors: the names of their folders. */
const ids = readdirSync(path.join(root, 'connectors'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_CONNECTORS.has(entry.name))
  .map((entry) => entry.name)

/** Ids that are also ordinary words. Within a longer text they are not taken for the connector. */
const WORDS = new Set(['file', 'linear', 'teams', 'webhook'])

const CONNECTOR_FOLDER = new RegExp(`^connectors/(?:${ids.join('|')})/`)

const CODE = /^(contract|engine|connectors|server|web|scripts)\//
/** As in `scripts/dangerous-code.test.ts`. The demo connects its stand-ins. */
const NOT_PRODUCT = /\.test\.tsx?$|\/testing\.ts$|^server\/(faults|ops|demo)\/|^connectors\/sandbox\/|^scripts\/lint\//

/** Where a name is allowed, besides a connector's own folder. */
const ALLOWED: readonly { files: RegExp; ids: readonly string[]; why: string }[] = [
  { files: /^connectors\/index\.ts$/, ids, why: 'the list of connectors' },
  { files: /^(server|web)\/features\/feedback\//, ids: ['file'], why: 'files of feedback, and inputs that take them' },
  { files: /^web\/features\/customers\/upload-dialog\.tsx$/, ids: ['file'], why: 'an input that takes a file' },
  { files: /^web\/features\/connections\/spec-tiles\.tsx$/, ids, why: 'the eleven tiles of the specification' },
  {
    files: /^web\/features\/connections\/slack\.ts$/,
    ids: ['slack'],
    why: 'the texts and the consent URL of the specification',
  },
  {
    files:
      /^(contract\/operations|server\/platform\/config\/config|server\/platform\/http\/security|web\/features\/support\/[^/]+)\.tsx?$/,
    ids: ['intercom'],
    why: 'the support chat of that name',
  },
]

/** The connector that a text names, or undefined. */
function namedIn(text: string): string | undefined {
  return ids.find(
    (id) =>
      text === id ||
      new RegExp(`['"\`/]${id}['"\`/.]`).test(text) ||
      (!WORDS.has(id) && new RegExp(`(?<![a-z0-9])${id}(?![a-z0-9])`, 'i').test(text)),
  )
}

/** Why this text must not be in this file, or null. Exported for its test. */
export function misplacedId(file: string, text: string): string | null {
  if (!CODE.test(file) || NOT_PRODUCT.test(file) || CONNECTOR_FOLDER.test(file)) return null
  const id = namedIn(text)
  if (id === undefined) return null
  if (ALLOWED.some((allowed) => allowed.files.test(file) && allowed.ids.includes(id))) return null
  return `only its own folder and connectors/index.ts may name the connector ${id} (docs/connectors.md)`
}

type Context = { filename: string; report(problem: { node: object; message: string }): void }
type Text = { value?: unknown }
type Template = { value: { raw: string } }

export const connectorIds = {
  create(context: Context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/')
    const check = (node: object, text: unknown) => {
      const message = typeof text === 'string' ? misplacedId(file, text) : null
      if (message) context.report({ node, message })
    }
    return {
      Literal: (node: Text) => check(node, node.value),
      JSXText: (node: Text) => check(node, node.value),
      TemplateElement: (node: Template) => check(node, node.value.raw),
    }
  },
}
