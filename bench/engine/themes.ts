// Measures themes of insights on labelled sets: the share of insights in a theme whose label has the theme's most frequent parent.
//   node bench/engine/themes.ts [--data=FOLDER] [--only=SET] [--show]
// Parents of labels: the first word of HWU64's (scenario_intent); for CLINC150 FOLDER/clinc_domains.json, as its authors publish it
// (data/domains.json). Other sets have none: their names are printed for reading with --show. Prints, and writes nothing.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { issues } from '@groundswell/engine/corrections/remove.ts'
import { textsToEncode } from '@groundswell/engine/group.ts'
import { isEmerging } from '@groundswell/engine/model.ts'
import { describe } from '@groundswell/engine/naming/describe.ts'
import { itemIdOf, type State } from '@groundswell/engine/state/state.ts'
import { NO_THEMES } from '@groundswell/engine/themes/theme.ts'
import { planThemes } from '@groundswell/engine/themes/themes.ts'
import { chosenSets, type DataSet, dataSets, isPresent } from './data-sets.ts'
import { encoderOf } from './encoder/encoder.ts'
import { type Row, stream } from './stream.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')
const SEED = 1

type ParentOf = (label: string) => string | undefined

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: path.join(ROOT, '..', 'shared', 'data') },
      only: { type: 'string' },
      show: { type: 'boolean', default: false },
    },
  })
  for (const set of chosenSets(dataSets(values.data), values.only).filter(isPresent)) {
    const rows = set.rowsOf(SEED).map((row, at) => ({ ...row, id: row.id ?? `${at}` }))
    const encoder = await encoderOf(textsToEncode(rows.map(({ id, text }) => ({ id, text, at: 0 }))))
    for (const given of encoder ? [encoder, undefined] : [undefined]) {
      const { state } = stream(rows, SEED, { intents: set.intents, ...(given ? { encoder: given } : {}) })
      process.stdout.write(
        `${set.name}, ${given ? 'sentences' : 'words'}: ${report(state, rows, parentsOf(set, values.data))}\n`,
      )
      if (values.show) process.stdout.write(`${listing(state)}\n`)
    }
  }
}

function parentsOf({ name }: DataSet, folder: string): ParentOf | null {
  if (name.startsWith('HWU64')) return (label) => label.split('_')[0]
  const file = path.join(folder, 'clinc_domains.json')
  if (!name.startsWith('CLINC150') || !existsSync(file)) return null
  const domains = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>
  const parents = new Map(Object.entries(domains).flatMap(([domain, labels]) => labels.map((label) => [label, domain])))
  return (label) => parents.get(label)
}

function report(state: State, rows: readonly Row[], parentOf: ParentOf | null): string {
  const labels = new Map(rows.map(({ id, label }) => [id, label]))
  const shown = issues(state).filter(({ visible, issueId }) => visible && !isEmerging(issueId))
  const parents = new Map(
    shown.map(({ issueId, statementIds }) => {
      const said = statementIds.flatMap((id) => labels.get(itemIdOf(id)) ?? [])
      const label = mostFrequent(said)
      return [issueId, label === undefined ? undefined : parentOf?.(label)]
    }),
  )
  const themes = planThemes(state, NO_THEMES)
  const within = themes.reduce((sum, { insightIds }) => sum + insightIds.length, 0)
  const pure = themes.reduce((sum, { insightIds }) => {
    const all = insightIds.map((id) => parents.get(id))
    const most = mostFrequent(all.filter((one) => one !== undefined))
    return sum + all.filter((one) => one !== undefined && one === most).length
  }, 0)
  const purity = parentOf ? `, purity ${Math.round((100 * pure) / Math.max(1, within))}%` : ''
  return `${shown.length} insights, ${within} of them in ${themes.length} themes${purity}`
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = Map.groupBy(values, (value) => value)
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

function listing(state: State): string {
  return planThemes(state, NO_THEMES)
    .map(({ name, insightIds }) => [name, ...insightIds.map((id) => `    ${describe(state, id).name}`)].join('\n'))
    .join('\n')
}

await main()
