import { existsSync } from 'node:fs'
import path from 'node:path'
import { fewSubjects } from './few-subjects.ts'
import { withPadding } from './padding.ts'
import { readingsOf, withReadings } from './readings.ts'
import { type Row, readRows } from './stream.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')

/** A labelled data set. `rowsOf`: its messages in the run with this seed. `intents`: the messages are requests to assistants, not feedback. */
export type DataSet = { name: string; file: string; intents: boolean; rowsOf: (seed: number) => Row[] }

/** Our own sets, then the public ones, whose files are in `folder`. The companies were written without knowledge of the engine, and never tuned on. */
export function dataSets(folder: string): DataSet[] {
  const company = (name: string, file: string) => set(name, path.join(import.meta.dirname, 'companies', file))
  const published = (name: string, file: string, rowsOf?: DataSetRows) => ({
    ...set(name, path.join(folder, file), rowsOf),
    intents: true,
  })
  return [
    set('demo company', path.join(ROOT, 'connectors', 'sandbox', 'company', 'feedback.jsonl')),
    company('hotel software, letters', 'hotel.jsonl'),
    company('developer tool, chat', 'devtool.jsonl'),
    company('fitness app, reviews', 'fitness.jsonl'),
    company('web shops, support chat', 'shop.jsonl'),
    set('five languages', path.join(import.meta.dirname, 'five-languages.tsv')),
    published('CLINC150 + out of scope', 'clinc_test_oos.tsv'),
    published('CLINC150 + out of scope, 12 subjects', 'clinc_test_oos.tsv', (rows, seed) =>
      fewSubjects(rows, 12, seed),
    ),
    published('CLINC150', 'clinc_test.tsv'),
    published('CLINC150, lines around', 'clinc_test.tsv', (rows) => withPadding(rows)),
    published('HWU64', 'hwu64_train.tsv'),
    published('Banking77', 'banking77_test.tsv'),
  ]
}

/** The sets of this name, or else those whose name contains it in any case. */
export function chosenSets(sets: readonly DataSet[], name: string | undefined): DataSet[] {
  const wanted = name?.toLowerCase() ?? ''
  const exact = sets.filter((one) => one.name.toLowerCase() === wanted)
  return exact.length > 0 ? exact : sets.filter((one) => one.name.toLowerCase().includes(wanted))
}

/** Whether the file of the set is there. */
export function isPresent({ file }: DataSet): boolean {
  return existsSync(file)
}

/** The set with what a language model read in its messages; null where none has. */
export function setAsRead(set: DataSet): DataSet | null {
  const file = readingsOf(set.file)
  return file === null ? null : { ...set, rowsOf: (seed) => withReadings(set.rowsOf(seed), file) }
}

type DataSetRows = (rows: Row[], seed: number) => Row[]

function set(name: string, file: string, rowsOf: DataSetRows = (rows) => rows): DataSet {
  let rows: Row[] | undefined
  return {
    name,
    file,
    intents: false,
    rowsOf: (seed) => {
      rows ??= readRows(file)
      return rowsOf(rows, seed)
    },
  }
}
