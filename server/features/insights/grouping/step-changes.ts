import { type Changes, isEmerging } from '@groundswell/engine/index.ts'
import { moveColumns } from './columns.ts'
import type { StepResult } from './protocol.ts'

/** What the engine changed in one step. `touched`: the issues whose statements changed, and how many each gained. */
export type EngineChanges = {
  changes: Changes
  touched: ReadonlyMap<number, number>
  descriptions: StepResult['descriptions']
}

/** The changes in the form of the store, those of emerging insights apart from those of insights. */
export function splitChanges({
  changes: { events, moves },
  touched,
  descriptions,
}: EngineChanges): Pick<StepResult, 'moves' | 'events' | 'descriptions' | 'touched' | 'emerging'> {
  const ended = events.filter(({ kind, issueId }) => isEmerging(issueId) && (kind === 'ended' || kind === 'merged'))
  return {
    moves: moveColumns(moves),
    // What became part of an emerging insight is in no insight any more.
    events: events
      .filter(({ issueId }) => !isEmerging(issueId))
      .map((event) =>
        event.kind === 'merged' && isEmerging(event.into) ? { kind: 'ended' as const, issueId: event.issueId } : event,
      ),
    descriptions: descriptions.filter(({ issueId }) => !isEmerging(issueId)),
    touched: [...touched].flatMap(([issueId, gained]) => (isEmerging(issueId) ? [] : [{ issueId, gained }])),
    emerging: {
      descriptions: descriptions.filter(({ issueId }) => isEmerging(issueId)),
      touched: [...touched.keys()].filter(isEmerging),
      ended: ended.map(({ issueId }) => issueId),
    },
  }
}
