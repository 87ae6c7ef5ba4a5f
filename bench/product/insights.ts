import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { seedInsights } from '@groundswell/server/faults/many-insights.ts'
import { Stack } from '@groundswell/server/faults/stack.ts'
import { type Figure, figure } from '../engine/figures.ts'

const INSIGHTS = 10_000
const RUNS = 3
const SCRIPT = path.resolve(import.meta.dirname, '..', '..', 'e2e', 'insights-speed.ts')

type Speed = { rows: number; frame: number; interaction: number; shift: number }

/** How the list of insights behaves in a browser at ten thousand: rows in the document, frames, interactions, shifts. */
export async function benchInsights(): Promise<Figure[]> {
  const stack = await Stack.start(['all-in-one'])
  try {
    await stack.furnish()
    const [workspace] = await stack.query<{ id: string }>('select workspace_id as id from workspace')
    if (!workspace) throw new Error('there is no workspace')
    await seedInsights((text, values) => stack.query(text, values), workspace.id, { insights: INSIGHTS, tags: 2 })
    const runs: Speed[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(stack))
    const of = (part: keyof Speed) => runs.map((one) => one[part])
    return [
      figure(`the list at ${INSIGHTS.toLocaleString('en-US')} insights: most rows in the document`, '', of('rows'), {
        atMost: 60,
      }),
      figure('95th percentile of a frame while it is scrolled', 'ms', of('frame'), { atMost: 33 }),
      figure('slowest interaction, the processor 4 times slower', 'ms', of('interaction'), { atMost: 200 }),
      figure('cumulative layout shift of all that', '', of('shift'), { atMost: 0.02 }),
    ]
  } finally {
    await stack.stop()
  }
}

async function measure(stack: Stack): Promise<Speed> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    SCRIPT,
    `--url=${stack.client.base}`,
    `--token=${stack.client.token}`,
  ])
  return JSON.parse(stdout) as Speed
}
