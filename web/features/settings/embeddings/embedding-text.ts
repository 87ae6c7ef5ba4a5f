import type {
  EmbeddingModel,
  EmbeddingState,
  EmbeddingSwitch,
  SwitchExample,
  SwitchPreview,
} from '@groundswell/contract/models/embeddings.ts'
import { formatMoment } from '../../../ui/text/moment.ts'

/** The name of grouping without a model. */
export const WORDS_ALONE = 'Words alone'

/** Where texts go that a model on the server embeds. */
export const LOCAL = 'Runs on this server: no data is sent anywhere.'

/** Whether a switch waits for the server or for a person. Only one can be open. */
export function isOpen({ state }: Pick<EmbeddingSwitch, 'state'>): boolean {
  return state === 'gathering' || state === 'grouping' || state === 'ready' || state === 'applying'
}

/** Where texts are sent to be embedded. */
export function destinationText({ provider, where }: EmbeddingModel): string {
  return provider === 'local' ? LOCAL : `Texts are sent to ${where} to be embedded.`
}

/** Why the built-in model cannot be used, and since when. */
export function problemText({ what, since }: { what: string; since: string }): string {
  return `Cannot be used since ${formatMoment(since)}: ${what}.`
}

/** Until when a model is paused, as a sentence; empty once that is over. */
export function pauseText(pausedUntil: string | null, now = Date.now()): string {
  if (pausedUntil === null || !(Date.parse(pausedUntil) > now)) return ''
  return `Paused: requests resume after ${formatMoment(pausedUntil)}.`
}

/** What was used of the day's budget, as `1,200 of 10,000,000 tokens used today.` */
export function budgetText({ used, per_day }: NonNullable<EmbeddingState['budget']>): string {
  return `${used.toLocaleString()} of ${per_day.toLocaleString()} tokens used today.`
}

/** How many texts wait because the day's budget is used up, and until when: budgets apply to UTC days. */
export function waitingText(texts: number, now = Date.now()): string {
  const next = new Date(now)
  next.setUTCHours(24, 0, 0, 0)
  const who = texts === 0 ? 'New texts wait' : `${texts.toLocaleString()} ${texts === 1 ? 'text waits' : 'texts wait'}`
  return `${who} until tomorrow: requests resume after ${formatMoment(next.toISOString())}.`
}

/** How many texts are done, as `1,200 of 5,000 texts`. */
export function progressText(done: number, all: number): string {
  return `${done.toLocaleString()} of ${all.toLocaleString()} ${all === 1 ? 'text' : 'texts'}`
}

/** The figures of a preview in the order they are shown: how many insights, and what happens to them. */
export function figuresOf(preview: SwitchPreview): { count: number; label: string }[] {
  return [
    { count: preview.same, label: 'stay the same' },
    { count: preview.changed, label: 'gain or lose mentions' },
    { count: preview.merged, label: 'merge into another' },
    { count: preview.split, label: 'split off from one' },
    { count: preview.born, label: 'are new' },
    { count: preview.ended, label: 'end' },
  ]
}

/** The preview in a sentence or two. */
export function previewText({ insights_before, insights_after, mentions, mentions_moved }: SwitchPreview): string {
  if (insights_before === 0 && insights_after === 0) return 'There are no insights to change yet.'
  const moved =
    mentions_moved === 0
      ? 'No mentions move'
      : `${mentions_moved.toLocaleString()} of ${mentions.toLocaleString()} mentions ${mentions_moved === 1 ? 'moves' : 'move'}`
  const insights = `${insights_before.toLocaleString()} ${insights_before === 1 ? 'insight' : 'insights'}`
  return insights_before === insights_after
    ? `${moved}. The number of insights stays at ${insights_after.toLocaleString()}.`
    : `${moved}. There are ${insights} now, and ${insights_after.toLocaleString()} after the switch.`
}

/** What happens to one insight. */
export function exampleText({ kind, others, mentions_before, mentions_after }: SwitchExample): string {
  const names = others.map((name) => `“${name}”`).join(', ')
  const size = mentions_before === mentions_after ? mentionsText(mentions_after) : null
  switch (kind) {
    case 'merged':
      return names ? `merges into ${names}` : 'merges into another'
    case 'split':
      return `${mentionsText(mentions_after)}${names ? ` from ${names}` : ''}`
    case 'born':
      return `${mentionsText(mentions_after)} that ${mentions_after === 1 ? 'is' : 'are'} in no insight now`
    case 'ended':
      return `${mentionsText(mentions_before)} now, no longer shown`
    case 'changed':
      return size ?? `${mentions_before} → ${mentionsText(mentions_after)}`
  }
}

/** The kinds of examples in the order they are shown, each with its heading. */
export const EXAMPLE_KINDS: readonly { kind: SwitchExample['kind']; title: string }[] = [
  { kind: 'merged', title: 'Merge into another' },
  { kind: 'split', title: 'Split off from one' },
  { kind: 'born', title: 'New' },
  { kind: 'ended', title: 'End' },
  { kind: 'changed', title: 'Gain or lose mentions' },
]

function mentionsText(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'mention' : 'mentions'}`
}
