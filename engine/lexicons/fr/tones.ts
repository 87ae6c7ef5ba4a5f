import type { Tones } from '../signs.ts'
import { phrases } from '../words.ts'

/** How people speak well or ill of something, see `kinds/tone.ts`. */
export const TONES: Tones = {
  praise: phrases(
    `excellent, excellente, excellents, excellentes, parfait, parfaite, parfaitement, génial, géniale, super, top, au top, impeccable, nickel, magnifique, superbe,
     merveilleux, merveilleuse, ravi, ravie, ravis, bravo, félicitations, chapeau, adore, jadore, incroyable, meilleur, meilleure, recommande, sans problème, sans souci,
     très bien, très bon, très bonne, facile à, simple à, agréable, accueillant, souriant, chaleureux, efficace`,
  ),
  plain: phrases(
    `rapide, rapides, facile, simple, pratique, fiable, clair, claire, utile, bien, bon, bonne, sympa, fluide, stable, intuitif, intuitive, satisfait, satisfaite,
     aimable, rapidement, facilement`,
  ),
  frame: phrases(`est, sont, était, étaient, été, fut, très, vraiment, si, super, toujours, et, trouve`),
  against: phrases(
    `prend des semaines, prend des jours, prend des heures, prend trop, lents, lentes, compliquée, compliqués, compliquées, difficiles, incompréhensible, instable, obsolète,
     mal, laborieux, introuvable`,
  ),
}
