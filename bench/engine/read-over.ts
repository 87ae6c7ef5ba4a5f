import { LANGUAGES } from '@groundswell/encoder/index.ts'
import { assign } from '@groundswell/engine/clustering/assign.ts'
import { needsRevision, revise } from '@groundswell/engine/clustering/revise.ts'
import { forget } from '@groundswell/engine/corrections/remove.ts'
import { readStatement, type SentenceEncoder, textsToEncode } from '@groundswell/engine/group.ts'
import { hasNoSubject } from '@groundswell/engine/kinds/kind.ts'
import { isEmerging, type Statement } from '@groundswell/engine/model.ts'
import { createState, type State } from '@groundswell/engine/state/state.ts'
import { prepare, type SplitItem } from '@groundswell/engine/text/prepare.ts'
import { chosenSets, dataSets, setAsRead } from './data-sets.ts'
import { encoderVectors } from './encoder/encoder-vectors.ts'
import { scoreGrouping } from './metrics.ts'
import { arrivals, type Row } from './stream.ts'

/**
 * What becomes of insights whose messages are read after they were grouped by their words, as an installation does it: in steps, the newest
 * first. `npm run bench:reading -- [part of a set's name]`, one seed.
 */
const SEED = 1
const ITEMS_PER_STEP = 240
const BATCH = 250
const LARGE = 5

type Groups = (number | null)[]

for (const set of chosenSets(dataSets(''), process.argv[2])) {
  const read = setAsRead(set)
  if (read) await readOver(set.name, arrivals(read.rowsOf(SEED), SEED, false))
}

async function readOver(name: string, rows: readonly Row[]): Promise<void> {
  const labels = rows.map(({ label }) => label)
  const plain = rows.map(
    ({ id, text, at, thread }, place): SplitItem => ({
      id: id ?? `${place}`,
      text,
      at: at ?? place,
      ...(thread ? { thread } : {}),
    }),
  )
  const asRead = plain.map((item, place): SplitItem => ({ ...item, points: rows[place]?.points ?? [] }))
  const texts = textsToEncode([...plain, ...asRead])
  const vectors = await encoderVectors(texts)
  const encoder: SentenceEncoder = {
    space: 'encoder',
    languages: LANGUAGES,
    vectors: new Map(texts.map((text, at) => [text, vectors[at] as Float32Array])),
  }
  const state = createState({ seed: SEED, space: encoder.space, languages: LANGUAGES })
  const own = plain.map((item) => prepare(item))
  group(state, own, encoder)
  const before = groupsOf(state, own)
  const current = [...own]
  const newestFirst = plain.map((_, place) => place).reverse()
  for (let from = 0; from < newestFirst.length; from += ITEMS_PER_STEP) {
    const places = newestFirst.slice(from, from + ITEMS_PER_STEP)
    const formers = groupsOf(state, current)
    forget(
      state,
      places.flatMap((place) => (current[place] as Statement[]).map(({ id }) => id)),
    )
    for (const place of places) current[place] = readStatements(asRead[place] as SplitItem, formers[place] ?? 0)
    assign(
      state,
      places.flatMap((place) => current[place] as Statement[]).map((one) => readStatement(one, encoder)),
    )
    if (needsRevision(state, { idle: true })) revise(state)
  }
  revise(state)
  const after = groupsOf(state, current)
  const first = createState({ seed: SEED, space: encoder.space, languages: LANGUAGES })
  const points = asRead.map((item) => prepare(item))
  group(first, points, encoder)
  const large = [...Map.groupBy(before.keys(), (place) => before[place] ?? 0)].filter(
    ([issue, places]) => issue > 0 && places.length >= LARGE,
  )
  const kept = large.filter(
    ([issue, places]) => places.filter((place) => after[place] === issue).length * 2 >= places.length,
  )
  const f1 = (groups: Groups) => scoreGrouping(groups, labels).f1.toFixed(1)
  process.stdout.write(
    `${name}: F1 ${f1(before)} by words, ${f1(after)} after it was read, ${f1(groupsOf(first, points))} if read from the start; ` +
      `${kept.length} of ${large.length} insights with ${LARGE} or more messages keep their number and half of these\n`,
  )
}

/** What is grouped of a message once it is read. */
function readStatements(item: SplitItem, former: number): Statement[] {
  const { points = [], ...plain } = item
  if (points.length === 0) return prepare(plain).map((one) => ({ ...one, kind: 'small talk' }))
  const place = points.findIndex(({ kind }) => !hasNoSubject(kind))
  return prepare({ ...item, formers: points.map((_, at) => (at === place ? former : 0)) })
}

function group(state: State, statements: readonly Statement[][], encoder: SentenceEncoder): void {
  for (let from = 0; from < statements.length; from += BATCH) {
    const batch = statements.slice(from, from + BATCH).flat()
    assign(
      state,
      batch.map((one) => readStatement(one, encoder)),
    )
    if (from + BATCH >= statements.length || needsRevision(state)) revise(state)
  }
}

/** The insight of each message: that of its first statement in one. */
function groupsOf(state: State, statements: readonly Statement[][]): Groups {
  return statements.map((of) => {
    for (const { id } of of) {
      const index = state.statementIndex.get(id)
      const node = index === undefined ? null : state.nodes[state.statementNodes[index] as number]
      if (node && node.issue > 0 && !isEmerging(node.issue)) return node.issue
    }
    return null
  })
}
