import type { Tones } from '../signs.ts'
import { phrases } from '../words.ts'

/** How people speak well or ill of something, see `kinds/tone.ts`. */
export const TONES: Tones = {
  praise: phrases(
    `super, toll, tolle, tolles, toller, klasse, spitze, prima, perfekt, hervorragend, hervorragende, ausgezeichnet, großartig, großartige, wunderbar, bestens,
     begeistert, beste, bester, lob, einfach zu, leicht zu, kinderleicht, reibungslos, problemlos, weiter so, sehr zufrieden, rundum zufrieden, empfehlenswert,
     freundlich, freundliche, freundliches, hilfreich, hilfsbereit, pünktlich, top, mega, genial, liebe`,
  ),
  plain: phrases(
    `schnell, einfach, gut, schön, nett, leicht, übersichtlich, praktisch, zuverlässig, stabil, fair, verständlich, angenehm, unkompliziert, flott, intuitiv,
     zufrieden, kompetent, flüssig`,
  ),
  frame: phrases(
    `ist, sind, war, waren, ging, geht, lief, läuft, kam, kommt, sehr, so, echt, richtig, wirklich, immer, total, funktioniert, klappt, super, und`,
  ),
  against: phrases(
    `dauert ewig, dauerte ewig, dauert wochen, dauert tage, dauert lange, dauert zu lange, langsam, langsame, langsamer, mangelhaft, umständlich, kompliziertes,
     komplizierte, unzuverlässig, instabil, veraltet, lästig, hakt, schwer, wäre, wären, hätte`,
  ),
}
