import { execFileSync } from 'node:child_process'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { asBytes, perturbed } from '@groundswell/server/faults/perturb.ts'
import { seeded } from '@groundswell/server/faults/random.ts'
import { Stack } from '@groundswell/server/faults/stack.ts'
import { until } from '@groundswell/server/faults/until.ts'
import { type Figure, figure } from '../engine/figures.ts'
import { watchMemory } from './processes.ts'

/**
 * What an installation with `rows` messages needs, in MiB: the memory of the server and its PostgreSQL together, and the size of the data folder. Without the
 * sentence encoder, which has its own process.
 */
export async function benchSizes({ rows }: { rows: number }): Promise<Figure[]> {
  const stack = await Stack.start(['measured'], [], { ENCODER: 'off' })
  try {
    await stack.furnish()
    const [child] = stack.children('measured')
    if (!child) throw new Error('the server is not there')
    const endWatch = watchMemory(child.pid)
    const began = performance.now()
    const messages = asBytes(perturbed(loadCompany(), rows, seeded(1)))
    const { id } = await stack.client.call(startImport, { query: { name: 'bench.jsonl' }, raw: messages })
    await until(
      'all messages to be grouped',
      async () => {
        const found = await stack.client.call(getImport, { params: { id } })
        if (found.state === 'failed') throw new Error(`the import failed: ${found.error}`)
        return found.state === 'done' && found.grouped === found.added ? found : undefined
      },
      { deadlineMs: 3_600_000, everyMs: 1_000, explain: () => stack.said() },
    )
    const seconds = (performance.now() - began) / 1000
    const peak = endWatch()
    const size = Number(execFileSync('du', ['-s', '--block-size=1', stack.folder], { encoding: 'utf8' }).split('\t')[0])
    const [database] = await stack.query<{ bytes: number }>(
      'select pg_database_size(current_database())::float8 as bytes',
    )
    const shown = rows.toLocaleString('en-US')
    const mib = (bytes: number) => [bytes / 1024 ** 2]
    return [
      figure(`${shown} messages: most memory while they are imported (PSS)`, 'MiB', mib(peak)),
      figure('the data folder after it', 'MiB', mib(size)),
      figure('the database alone', 'MiB', mib(database?.bytes ?? Number.NaN)),
      figure('from the first byte to the last message grouped', 's', [seconds]),
    ]
  } finally {
    await stack.stop()
  }
}
