import { listOfAll, tableOfAll } from '../lexicons/lexicons.ts'

/** By label: how people express what it stands for, in all languages. */
const CUES_BY_LABEL = new Map(
  [...tableOfAll((lexicon) => lexicon.LABEL_CUES).keys()].flatMap((meaning) => {
    const labels = listOfAll((lexicon) => lexicon.LABEL_CUES[meaning]?.labels)
    const cues = listOfAll((lexicon) => lexicon.LABEL_CUES[meaning]?.cues)
    return labels.map((label) => [label, cues] as const)
  }),
)

/** The phrases for a common label; empty for any other label. */
export function labelCues(label: string): readonly string[] {
  return CUES_BY_LABEL.get(label.trim().toLowerCase()) ?? []
}
