import type { Tones } from '../signs.ts'
import { phrases } from '../words.ts'

/** How people speak well or ill of something, see `kinds/tone.ts`. */
export const TONES: Tones = {
  praise: phrases(
    `excelente, excelentes, perfeito, perfeita, perfeitamente, maravilhoso, maravilhosa, incrível, ótimo, ótima, ótimos, otimo, otima, impecável, adorei, amei, adoro, amo, parabéns,
     recomendo, muito bom, muito boa, fácil de, simples de, sem problemas, vale a pena, fantástico, fantástica, sensacional, melhor, nota dez, boa qualidade`,
  ),
  plain: phrases(
    `rápido, rápida, rápidos, fácil, simples, prático, prática, útil, claro, clara, bom, boa, simpático, simpática, estável, intuitivo, intuitiva, satisfeito,
     satisfeita, confortável, pontual, rapidamente, atencioso, atenciosa`,
  ),
  frame: phrases(`é, são, foi, foram, era, está, muito, tão, super, realmente, sempre, e, tudo, chegou, funciona`),
  against: phrases(
    `demora semanas, demora dias, demora horas, demora muito, lentos, lentas, lentíssimo, demorada, péssimos, mau, má, mal, difíceis, confuso, confusa, impossível, instável, piorou`,
  ),
}
