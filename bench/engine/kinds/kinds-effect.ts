import { group, type Item, prepare, textsToEncode, textToEncode } from '@groundswell/engine/index.ts'
import { classifyKind } from '@groundswell/engine/kinds/classify.ts'
import { KINDS, type Kind } from '@groundswell/engine/kinds/kind.ts'
import { encoderOf } from '../encoder/encoder.ts'

/**
 * What kinds would change for a set of messages. `shares`: of its statements by kind, in percent; the rest is unknown. `hidden`: insights
 * in which more than half of the statements are praise or small talk; `hiddenLargest`: of the 20 largest.
 */
export type Effect = {
  name: string
  statements: number
  shares: Readonly<Record<Kind, number>>
  insights: number
  hidden: number
  largest: number
  hiddenLargest: number
}

const LARGEST = 20

/** Groups a set with the encoder, and classifies its statements without knowing who wrote them. Emerging insights do not count. */
export async function effectOn(name: string, items: readonly Item[]): Promise<Effect> {
  const encoder = await encoderOf(textsToEncode(items))
  const kinds = new Map(
    items.flatMap(prepare).map(({ id, text }) => {
      const vector = encoder?.vectors.get(textToEncode(text))
      return [id, classifyKind({ text, vector }).kind]
    }),
  )
  const insights = group([...items], encoder ? { encoder } : {}).insights.filter(({ emerging }) => !emerging)
  const isHidden = ({ mentions }: (typeof insights)[number]) => {
    const said = mentions.flatMap(({ statementIds }) => statementIds).map((id) => kinds.get(id))
    return said.filter((kind) => kind === 'praise' || kind === 'small talk').length * 2 > said.length
  }
  const all = [...kinds.values()]
  const share = (wanted: Kind) => (100 * all.filter((kind) => kind === wanted).length) / Math.max(1, all.length)
  const largest = insights.slice(0, LARGEST)
  return {
    name,
    statements: all.length,
    shares: Object.fromEntries(KINDS.map((kind) => [kind, share(kind)])) as Record<Kind, number>,
    insights: insights.length,
    hidden: insights.filter(isHidden).length,
    largest: largest.length,
    hiddenLargest: largest.filter(isHidden).length,
  }
}
