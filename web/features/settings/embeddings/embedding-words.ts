import type {
  EmbeddingModel,
  EmbeddingState,
  EmbeddingSwitch,
  SwitchExample,
  SwitchPreview,
} from '@groundswell/contract/embeddings.ts'
import { formatMoment } from '../../../ui/moment.ts'

/** The label without a model. */
export const WORDS_ALONE = 'Words alone'

/** Whether a switch is in progress: while one is, no other can start. */
export function isUnderWay({ state }: Pick<EmbeddingSwitch, 'state'>): boolean {
  return state === 'gathering' || state === 'grouping' || state === 'ready' || state === 'applying'
}

/** Where texts are sent to be embedded. */
export function whereText({ provider, where }: EmbeddingModel): string {
  return provider === 'local'
    ? 'Runs on this server: no data is sent anywhere.'
    : `Texts are sent to ${where} to be embedded.`
}

/** Until when requests to a model are paused, as a sentence; empty once that is over. */
export function pauseText(pausedUntil: string | null, now = Date.now()): string {
  if (pausedUntil === null || !(Date.parse(pausedUntil) > now)) return ''
  return `Paused: requests resume after ${formatMoment(pausedUntil)}.`
}

/** The used part of the day's budget, as `1,200 of 10,000,000 tokens are used today.` */
export function budgetText({ used, per_day }: NonNullable<EmbeddingState['budget']>): string {
  return `${used.toLocaleString()} of ${per_day.toLocaleString()} tokens are used today.`
}

/** How many texts wait because the day's budget is used up, and until when: budgets are per UTC day. */
export function waitingText(texts: number, now = Date.now()): string {
  const next = new Date(now)
  next.setUTCHours(24, 0, 0, 0)
  const who = texts === 0 ? 'New texts wait' : `${texts.toLocaleString()} ${texts === 1 ? 'text waits' : 'texts wait'}`
  return `${who} for tomorrow: requests resume after ${formatMoment(next.toISOString())}.`
}

/** The progress in texts, as `1,200 of 5,000 texts`. */
export function textsText(done: number, all: number): string {
  return `${done.toLocaleString()} of ${all.toLocaleString()} ${all === 1 ? 'text' : 'texts'}`
}

/** The figures of a preview in the order they are shown: the number of insights, and their changes. */
export function figuresOf(preview: SwitchPreview): { count: number; words: string }[] {
  return [
    { count: preview.same, words: 'stay as they are' },
    { count: preview.changed, words: 'gain or lose mentions' },
    { count: preview.merged, words: 'merge into another' },
    { count: preview.split, words: 'split off from one' },
    { count: preview.born, words: 'are new' },
    { count: preview.ended, words: 'end' },
  ]
}

/** The preview in a sentence or two. */
export function previewText({ insights_before, insights_after, mentions, mentions_moved }: SwitchPreview): string {
  if (insights_before === 0 && insights_after === 0) return 'There are no insights to change yet.'
  const moved =
    mentions_moved === 0
      ? 'No mention moves'
      : `${mentions_moved.toLocaleString()} of ${mentions.toLocaleString()} mentions ${mentions_moved === 1 ? 'moves' : 'move'}`
  const insights = `${insights_before.toLocaleString()} ${insights_before === 1 ? 'insight' : 'insights'}`
  return insights_before === insights_after
    ? `${moved}. There are ${insights}, today and then.`
    : `${moved}. There are ${insights} today, and ${insights_after.toLocaleString()} then.`
}

/** The outcome of one insight, after its name. */
export function exampleText({ kind, others, mentions_before, mentions_after }: SwitchExample): string {
  const names = others.map((name) => `“${name}”`).join(', ')
  const size = mentions_before === mentions_after ? inMentions(mentions_after) : null
  switch (kind) {
    case 'merged':
      return names ? `goes into ${names}` : 'goes into another'
    case 'split':
      return `${inMentions(mentions_after)}${names ? ` out of ${names}` : ''}`
    case 'born':
      return `${inMentions(mentions_after)} that ${mentions_after === 1 ? 'was' : 'were'} in none`
    case 'ended':
      return `${inMentions(mentions_before)} today, not shown then`
    case 'changed':
      return size ?? `${mentions_before} → ${inMentions(mentions_after)}`
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

function inMentions(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'mention' : 'mentions'}`
}
