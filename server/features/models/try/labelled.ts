/** A message and what it is about by its label; null: nothing that others are about. */
export type LabelledMessage = { id: string; text: string; label: string | null; at: number; thread?: string }

/** The label of messages that are about nothing that others are about. */
const NOISE = 'oos'

/**
 * Labelled messages of a file: lines of `text⇥label`, where the label `oos` is noise, or JSON lines with `text` and `label` (null is noise) and
 * optionally `id`, `at` and `thread`. Throws an `Error` that names the first line that is neither.
 */
export function parseLabelled(content: string): LabelledMessage[] {
  return content.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return []
    const message = line.trimStart().startsWith('{') ? fromJson(line, index) : fromTabs(line, index)
    if (!message)
      throw new Error(`Line ${index + 1} is neither text, a tab and a label, nor JSON with "text" and "label".`)
    return [message]
  })
}

function fromTabs(line: string, index: number): LabelledMessage | null {
  const [text = '', label] = line.split('\t')
  return label === undefined ? null : { id: `${index}`, text, label: label === NOISE ? null : label, at: index }
}

function fromJson(line: string, index: number): LabelledMessage | null {
  let row: Record<string, unknown>
  try {
    row = JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
  const { text, label, id, at, thread } = row
  if (typeof text !== 'string' || (label !== null && typeof label !== 'string')) return null
  return {
    id: typeof id === 'string' ? id : `${index}`,
    text,
    label,
    at: typeof at === 'number' ? at : index,
    ...(typeof thread === 'string' ? { thread } : {}),
  }
}
