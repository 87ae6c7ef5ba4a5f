const COMMON = new Set(
  `the and are was were has have had does did not can could cannot will would should may might must with without within
  from into onto over under about after before again also any anything because been being both but each even ever every for
  get gets getting got her here his how its just like make makes many more most much need needs now off once one only other
  our out own please really same see she some something still such than that their them then there these they thing things
  this those though through too try tried trying two use used uses using very via want wants way well what when where which
  while who whom why you your yours users user customer customers people person team product app application say says said
  der die das den dem des ein eine einen einer eines und oder aber ist sind war waren wird werden kann können nicht kein
  keine mit ohne für von vom zum zur auf aus bei nach noch auch nur wenn wie was wer wir sie ihr mein meine unser unsere
  kunden nutzer les des une est sont pas avec sans pour dans sur par que qui quoi nous vous ils elle elles mon mes notre nos
  votre vos mais plus aux clients los las una unos unas del con sin para por que como pero más muy este esta estos estas
  nuestro nuestra clientes usuarios dos das uma com sem por mas não você vocês nosso nossa`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
const SPACED = /^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{M}]+$/u
const MIN_LETTERS = 3

/**
 * The words of a text that carry meaning, each once, in lower case: no function words, none of one or two letters in scripts
 * that separate words by spaces, and no words common to all feedback.
 */
export function contentWords(text: string): string[] {
  const words = new Set<string>()
  for (const { segment, isWordLike } of segmenter.segment(text.normalize('NFKC').toLowerCase())) {
    if (!isWordLike || COMMON.has(segment)) continue
    if (SPACED.test(segment) && segment.length < MIN_LETTERS) continue
    words.add(segment)
  }
  return [...words]
}

/** True for two forms of one word, judged by their beginnings: export and exporting, category and categories. */
export function sameWord(a: string, b: string): boolean {
  if (a === b) return true
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  if (shorter.length < 4 || longer.length - shorter.length > 3) return false
  let shared = 0
  while (shared < shorter.length && shorter[shared] === longer[shared]) shared++
  return shared >= 4 && shared >= shorter.length - 1
}
