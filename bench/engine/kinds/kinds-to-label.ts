// Prints evaluation examples for another labeller, without their labels: of each kind of source as many of our own as real ones, in random order.
//   node bench/engine/kinds/kinds-to-label.ts --data=FOLDER [--seed=19] [--each=40]
// The words of real people are on it: it goes to the terminal or to a file outside the repository.
import { parseArgs } from 'node:util'
import { seededRandom, shuffled } from '@groundswell/engine/clustering/random.ts'
import { evaluationOf, ownExamples, realExamples, SOURCES } from './kinds-examples.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    seed: { type: 'string', default: '19' },
    each: { type: 'string', default: '40' },
  },
})
if (values.data === undefined) throw new Error('name the folder of the real sets: --data=FOLDER')
const random = seededRandom(Number(values.seed))
const all = evaluationOf([...ownExamples(), ...realExamples(values.data)])
const chosen = Object.keys(SOURCES).flatMap((source) =>
  [true, false].flatMap((isOwn) => {
    const some = all.filter((one) => one.source === source && (one.set === 'own') === isOwn)
    return shuffled(some, random).slice(0, Number(values.each))
  }),
)
for (const { set, id, statement, source, text } of shuffled(chosen, random)) {
  process.stdout.write(`${JSON.stringify({ set, id, statement, source, text })}\n`)
}
