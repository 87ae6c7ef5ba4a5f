/** A passage of a text: where it begins, in UTF-16 units, and what it says. */
export type Passage = { start: number; text: string }

/** A text with these passages of it marked, which are in its order and do not overlap. */
export function MarkedText({ text, passages }: { text: string; passages: readonly Passage[] }) {
  const ends = passages.map((passage) => passage.start + passage.text.length)
  return (
    <>
      {passages.flatMap((passage, place) => [
        text.slice(ends[place - 1] ?? 0, passage.start),
        <mark key={passage.start}>{passage.text}</mark>,
      ])}
      {text.slice(ends.at(-1) ?? 0)}
    </>
  )
}
