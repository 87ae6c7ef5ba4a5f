import { compared } from '../names.ts'
import { discussions } from './discussions.ts'
import { columnFor, type Preset } from './preset.ts'
import { reviews } from './reviews.ts'
import { surveys } from './surveys.ts'
import { tickets } from './tickets.ts'
import { trackers } from './trackers.ts'

/** Our own export of insights: a row for each mention. */
const own: Preset = {
  label: 'Groundswell',
  has: [['issue_number'], ['mention_count'], ['mention_date'], ['mention_text']],
  columns: { text: ['mention_text'], author: ['mention_author'], date: ['mention_date'], link: ['mention_link'] },
}

/** The products whose exports are recognised. The first that fits is taken. */
export const presets: readonly Preset[] = [own, ...reviews, ...trackers, ...tickets, ...discussions, ...surveys]

/** The product whose export has these columns; null for any other file. */
export function presetOf(columns: readonly string[]): Preset | null {
  const all = compared(columns)
  const fits = ({ has, fits: alsoFits }: Preset) =>
    has.every((any) => columnFor(any, all) !== null) && (alsoFits?.(columns) ?? true)
  return presets.find(fits) ?? null
}
