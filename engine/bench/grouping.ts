import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readRows, type StreamResult, stream } from './stream.ts'

/**
 * Prints how well the engine groups labelled messages: `node engine/bench/grouping.ts FOLDER [SEEDS]`. Reads the
 * `text⇥label` files of the folder and the demo company's feedback; streams each in batches of 250, as many times as there are
 * seeds (3), and prints mean ± standard deviation.
 */
function main(): void {
  const folder = process.argv[2]
  const seeds = Number(process.argv[3] ?? 3)
  if (folder === undefined || !existsSync(folder)) {
    console.error('usage: node engine/bench/grouping.ts FOLDER [SEEDS]   (FOLDER holds text⇥label files)')
    process.exitCode = 2
    return
  }
  const files = ['clinc_test_oos.tsv', 'clinc_test.tsv', 'hwu64_train.tsv', 'banking77_test.tsv'].map((name) =>
    join(folder, name),
  )
  files.push(fileURLToPath(new URL('../../connectors/sandbox/company/feedback.jsonl', import.meta.url)))
  const columns = ['precision', 'recall', 'f1', 'nmi', 'acc', 'coverage', 'noiseGrouped', 'churn', 'groups'] as const
  console.log(`| file | ${columns.join(' | ')} | messages per CPU-second |`)
  console.log(`|---|${columns.map(() => '---|').join('')}---|`)
  for (const file of files) {
    if (!existsSync(file)) continue
    const rows = readRows(file)
    const results: StreamResult[] = []
    for (let seed = 1; seed <= seeds; seed++) results.push(stream(rows, seed))
    const cells = columns.map((column) => spread(results.map((result) => result[column])))
    const speed = spread(results.map((result) => rows.length / (result.cpuMs / 1_000)))
    console.log(`| ${file.split('/').at(-1)} | ${cells.join(' | ')} | ${speed} |`)
  }
}

function spread(values: number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return `${mean.toFixed(1)} ± ${deviation.toFixed(1)}`
}

main()
