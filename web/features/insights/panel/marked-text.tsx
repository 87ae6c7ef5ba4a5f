/** A passage of a text: where it begins, in UTF-16 units, and what it says. */
export type Passage = { start: number; text: string }

/** A text with these passages of it marked, which are in its order and do not overlap. */
export function MarkedText({ text, passages }: { text: string; passages: readonly Passage[] }) {
  let end = 0
  return (
    <>
      {passages.flatMap((passage) => {
        const before = text.slice(end, passage.start)
        end = passage.start + passage.text.length
        return [before, <mark key={passage.start}>{passage.text}</mark>]
      })}
      {text.slice(end)}
    </>
  )
}
