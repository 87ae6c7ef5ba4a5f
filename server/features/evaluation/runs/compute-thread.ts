import { parentPort } from 'node:worker_threads'
import { group } from '@groundswell/engine/index.ts'
import { gradeRuns } from '../evaluators/grade-run.ts'
import type { Answer, Result, Task } from './compute-protocol.ts'

parentPort?.on('message', ({ id, task }: { id: number; task: Task }) => {
  void answerTo(id, task).then((answer) => parentPort?.postMessage(answer))
})

async function answerTo(id: number, task: Task): Promise<Answer> {
  try {
    return { id, result: await compute(task) }
  } catch (error) {
    const { message, stack } = error as Error
    return { id, error: { message, ...(stack === undefined ? {} : { stack }) } }
  }
}

async function compute(task: Task): Promise<Result> {
  if (task.op === 'group') return { op: 'group', grouping: group(task.items, task.options) }
  const { signal } = new AbortController()
  return { op: 'grade', session: await gradeRuns([task.run], { signal }) }
}
