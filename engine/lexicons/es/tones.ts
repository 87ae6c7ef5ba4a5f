import type { Tones } from '../signs.ts'
import { phrases } from '../words.ts'

/** How people speak well or ill of something, see `kinds/tone.ts`. */
export const TONES: Tones = {
  praise: phrases(
    `excelente, excelentes, genial, increíble, perfecto, perfecta, perfectamente, fantástico, fantástica, maravilla, maravilloso, maravillosa, estupendo, estupenda,
     encanta, encantan, encantó, impecable, recomiendo, recomendable, felicidades, enhorabuena, buenísimo, buenísima, rapidísimo, rapidísima, facilísimo, facilísima,
     muy bien, muy bueno, muy buena, muy amable, muy amables, fácil de, sencillo de, sin problemas, un diez, mejor`,
  ),
  plain: phrases(
    `rápido, rápida, rápidos, fácil, sencillo, sencilla, cómodo, cómoda, práctico, práctica, útil, claro, clara, bueno, buena, amable, fluido, estable, intuitivo,
     intuitiva, satisfecho, satisfecha, contento, contenta, puntual, rápidamente`,
  ),
  frame: phrases(
    `es, son, fue, fueron, era, está, estuvo, muy, tan, súper, super, realmente, siempre, y, todo, llegó, funciona`,
  ),
  against: phrases(
    `tarda semanas, tarda días, tarda horas, tarda mucho, tardó, lento, lenta, lentísimo, lentísima, pésimo, pésima, mala, malo, mal, difíciles, complicada, fatal, roto, rota, confuso,
     confusa, imposible, horrible, terrible, peor`,
  ),
}
