import type { Tone } from '../kinds/tone.ts'
import { areOpposed, issueTone, nodeTone, REASON_TONE } from '../state/node-tone.ts'
import type { ChangeRecorder } from '../state/recorder.ts'
import type { Node, State } from '../state/state.ts'
import type { Scope } from './scope.ts'

/** Gives what praises in a community with complaints a community of its own, from the next free label on. Labels of -1 stay. */
export function splitTones(labels: Int32Array, toneAt: (place: number) => Tone): Int32Array {
  const complaining = new Set<number>()
  let next = 0
  labels.forEach((label, place) => {
    if (toneAt(place) === 'complaint') complaining.add(label)
    next = Math.max(next, label + 1)
  })
  const parts = new Map<number, number>()
  return labels.map((label, place) => {
    if (label < 0 || toneAt(place) !== 'praise' || !complaining.has(label)) return label
    const part = parts.get(label) ?? next++
    parts.set(label, part)
    return part
  })
}

/**
 * Takes out of each issue what praises its subject where most complain about it, or the reverse, unless people put it there. Call after all
 * other moves.
 */
export function partTones(state: State, { nodes }: Pick<Scope, 'nodes'>, recorder: ChangeRecorder): void {
  const tones = new Map<number, Tone>()
  const moved: number[] = []
  for (const index of nodes) {
    const { issue, pin } = state.nodes[index] as Node
    const { removed = true, locked = true } = state.issues.get(issue) ?? {}
    if (pin >= 0 || removed || locked) continue
    const most = tones.has(issue) ? (tones.get(issue) as Tone) : issueTone(state, issue)
    tones.set(issue, most)
    if (areOpposed(nodeTone(state.nodes[index] as Node), most)) moved.push(index)
  }
  for (const index of moved) recorder.move(index, 0, 0, REASON_TONE)
}
