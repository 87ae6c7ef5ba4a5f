/**
 * Words of the frame of a sentence, not of its subject: what any message about anything is made of. They count half, so
 * that two messages are not alike for being phrased alike, while questions still differ by how they ask.
 */
const FRAME = new Set(
  `i me my we our us you your he she it its they them their this that these those a an the and or but if then so because as of at by for
  with about into to from in on off out up down over again is am are was were be been being have has had having do does did doing done can
  could will would shall should may might must not no only own same too very just now im ive id ill youre weve theyre whats thats dont cant doesnt didnt
  isnt wont wasnt there here what which who when where why how all any both each more most other some such than please tell need want
  like get got let know make also one since still every hi hello thanks thank hey 0 today tomorrow yesterday week day morning month time
  year always never back after before anyone everyone else team customer customers people lot really much many thing way two three first
  last next new use using used try trying tried see think say says said go goes going come look looks take happen happens work works working
  der die das ein eine einen einem einer und oder aber wenn dann so weil als von an bei für mit über in im ins auf aus zu zum zur ist sind
  war waren bin sein haben hat habe hatte kann können könnte wird werden würde soll muss darf nicht kein keine nur auch sehr schon noch mal es
  ich du er sie wir ihr mich mir uns euch mein meine unser unsere dein was wie wo wer warum wann welche alle jede mehr andere bitte danke hallo jetzt hier
  da seit bis immer wieder gerne brauche möchte heute morgen gestern woche tag monat zeit jahr dass sich den dem des nach vor`.split(
    /\s+/,
  ),
)

/** Whether a lower-case word belongs to the frame of a sentence in English or German. */
export function isFrame(token: string): boolean {
  return FRAME.has(token)
}
