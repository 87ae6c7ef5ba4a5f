import { parentPort } from 'node:worker_threads'
import { StateVersionError } from '@groundswell/engine/index.ts'
import type { Answer, Forget, Request } from './protocol.ts'
import { prepareItems } from './statements.ts'
import { GroupingStates } from './states.ts'

let states = new GroupingStates()

parentPort?.on('message', ({ id, request }: { id: number; request: Request | Forget }) => {
  if (request.op === 'forget') {
    states = new GroupingStates()
    return
  }
  const answer = answerTo(id, request)
  const result = answer.kind === 'step' ? answer.result : answer.kind === 'regrouped' ? answer.regrouped.result : null
  const snapshot = result?.snapshot
  const transferList =
    snapshot && snapshot.byteLength === snapshot.buffer.byteLength ? [snapshot.buffer as ArrayBuffer] : []
  parentPort?.postMessage(answer, transferList)
})

function answerTo(id: number, request: Request): Answer {
  const { workspaceId } = request
  try {
    switch (request.op) {
      case 'open':
        states.open(workspaceId, request.snapshot, request.model)
        return { id, kind: 'done' }
      case 'lacking':
        return { id, kind: 'lacking', statementIds: states.lacking(workspaceId) }
      case 'loadConstraints':
        states.loadConstraints(workspaceId, request.constraints)
        return { id, kind: 'done' }
      case 'replay':
        states.replay(workspaceId, request.statements)
        return { id, kind: 'done' }
      case 'teach':
        states.teach(workspaceId, request.taught, request.statements)
        return { id, kind: 'done' }
      case 'ready':
        states.ready(workspaceId, request.version, request.removed, request.locked)
        return { id, kind: 'done' }
      case 'judge': {
        const judgement = states.judge(workspaceId, request.version, request.limit, request.answers)
        return judgement ? { id, kind: 'judged', judgement } : { id, kind: 'unknown' }
      }
      case 'themes': {
        const themes = states.themes(workspaceId, request.version, request.known)
        return themes ? { id, kind: 'themes', themes } : { id, kind: 'unknown' }
      }
      case 'drop':
        states.drop(workspaceId)
        return { id, kind: 'done' }
      case 'prepare':
        return { id, kind: 'prepared', statements: prepareItems(request.items) }
      case 'vectors':
        states.giveVectors(workspaceId, request.space, request.vectors)
        return { id, kind: 'done' }
      case 'regroup':
        return { id, kind: 'regrouped', regrouped: states.regroup(workspaceId, request.settled) }
      case 'step': {
        if (states.lacksTeaching(workspaceId, request.taught)) return { id, kind: 'untaught' }
        const result = states.step(workspaceId, request)
        return result ? { id, kind: 'step', result } : { id, kind: 'unknown' }
      }
    }
  } catch (error) {
    states.drop(workspaceId)
    // A snapshot that cannot be read is no loss: the state can be rebuilt from the stored decisions.
    const unreadable = request.op === 'open' && request.snapshot !== null
    if (unreadable || error instanceof StateVersionError) return { id, kind: 'outdated' }
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    return { id, kind: 'failed', message, stack }
  }
}
