import type {
  DetailSigns,
  IntentSigns,
  LabelCues,
  LetterSigns,
  MeasureSigns,
  NoiseSigns,
  OptionSigns,
  ReadabilitySigns,
  TagSigns,
  TitleSigns,
} from './signs.ts'
import { phrases, words } from './words.ts'

export { stemmer as STEM } from '@orama/stemmers/spanish'

// Split by subject: one file would exceed the limit of 400 lines.
export { KIND_CUES } from './es/kinds.ts'
export { TONES } from './es/tones.ts'

/** Words that say nothing about the subject of a sentence. */
export const STOPWORDS = words(
  `yo me mi mis mí tú te ti tu tus él ella usted ustedes nosotros nos nuestro nuestra nuestros nuestras ellos ellas se
  su sus lo la los las le les el un una unos unas de del al a y e o u pero si sí no ni que qué quien quién cual cuál
  cuando cuándo como cómo donde dónde porque por para con sin sobre entre desde hasta en muy más menos también tampoco
  ya aún todavía siempre nunca todo toda todos todas cada mismo misma otro otra otros otras este esta esto estos estas
  ese esa eso esos esas es soy eres somos son era eran fue ser sido está estoy están estamos estar estaba he has ha
  hemos han había haber hay hace hacer hago puede puedo pueden podemos poder podría podrían quiero quiere queremos
  quisiera debe deben debería va voy van vamos ir hola gracias favor buenos buenas ahora aquí allí hoy ayer mañana día
  días semana mes año vez veces bien mal nada algo necesito necesitamos gustaría tengo tiene tienen tenemos`,
)

/** After these words comes a noun, with or without what describes it. */
export const NOUN_LEADS = words(
  `el la los las un una unos unas del de al mi mis nuestro nuestra nuestros nuestras su sus tu tus este esta estos estas ningún
  ninguna cada todos todas en con para sin por entre sobre`,
)

/** Nouns that say too little to name a theme, and words that are often taken for nouns. */
export const VAGUE_NOUNS = words(
  `céntimo euro segundo minuto hora día semana mes trimestre año tiempo fecha lunes martes miércoles jueves viernes sábado domingo
  página empresa cliente clientes usuario gente persona colega equipo cosa manera tipo parte final inicio número total ejemplo
  caso punto razón idea trabajo tarde noche nombre palabra opción mitad lista versión lugar`,
)

/** The most common words, for language detection, without those that are content words in another language. */
export const COMMON_WORDS = words(
  `el la un una del y en es que por para con su mi mis pero como cómo cuando cuándo qué porque más muy está están puede
  puedo se lo al nos también desde este esta esto hemos tengo quiero nuestra nuestro de los las si sobre entre hay ha
  han hasta todo toda todos todas cada otro otra ser sus tu tus les ya solo aquí ahora siempre nunca nada mucho muchas
  demasiado demasiadas tiene tienen hace hacer sería gustaría debe pueden podemos gracias hola favor vez veces así
  donde dónde quién cuál estos estas ese esa eso era fue sido`,
)

/** Letters that English does not have. */
export const LETTERS = /[ñáéíóú]/

/** Words of chit-chat. None may be the subject of feedback. */
export const CHAT_WORDS = words(
  `abrazo adiós amigos buen buena buenas bueno buenos chao claro de días entendido equipo estupendo excelente favor
  felicidades fin fantástico genial gracias hasta hola igualmente luego mañana mil mucha muchas muchísimas muy nada
  noches ok perfecto por pronto sábado saludo saludos semana si sí tal tardes todo todos vale viernes y`,
)

/** Words that may occur in "us too". */
export const AGREEMENT_WORDS = words(
  `mí mi también tambien nos pasa igual lo mismo aquí aqui en el yo confirmo sí si problema a`,
)

/** Words that express agreement. */
export const AGREEMENT_CUES = words(`también tambien igual mismo confirmo`)

/** Words that occur in automatic replies, thanks and channel notices. */
export const NOISE_PATTERN_WORDS: readonly string[] = []

/** Words about feedback itself or about tagging. */
export const META_WORDS = words(`clientes relacionado`)

/** Words that may describe a measure. */
export const MEASURE_WORDS = words(
  `porcentaje número cuántos crecimiento semana por clientes personas usuarios días desde menciones mensajes todos
  todas los las que han dicho en el`,
)

/** Words that begin a yes-or-no question. */
export const YES_NO_STARTERS: readonly string[] = []

/** Labels for problems. */
export const PROBLEM_LABELS = words(`fallo fallos problema problemas errores falla`)

/** Labels for requests. */
export const REQUEST_LABELS = [
  'petición',
  'peticiones',
  'solicitud',
  'solicitudes',
  'deseo',
  'sugerencia',
  'sugerencias',
  'mejora',
  'mejoras',
]

/** Words of each intent cue, see `text/intents.ts`. */
export const INTENT_CUES: Readonly<Record<string, readonly string[]>> = {
  '!not': words(`nunca ningún sin`),
  '!cost': words(`precio cuesta`),
  '!get': words(`pedir obtener`),
  '!on': words(`añadir agregar activar conectar`),
  '!off': words(`eliminar borrar cancelar desactivar`),
  '!up': words(`aumentar subir`),
  '!down': words(`reducir`),
  '!next': words(`próximo próxima`),
  '!last': words(`último última`),
  '?where': words(`donde dónde`),
  '?when': words(`cuándo`),
  '?who': words(`quién`),
  '?which': words(`cuál cuáles`),
  '?what': words(`qué`),
  '?how': words(`cómo`),
}

/** What a text asks for, see `text/intents.ts`. */
export const INTENT_SIGNS: IntentSigns = {
  dateUnit: /semana|mes/,
}

/** The frame of letters and mails, see `text/prepare.ts`. */
export const LETTER_SIGNS: LetterSigns = {}

/** Courtesies and filler sentences, as whole sentences. */
export const COURTESIES: readonly RegExp[] = [
  /espero que .* bien|(?:muchas )?gracias(?: de antemano| por (?:su|tu) .*)?|quedo a la espera.*|(?:me )?(?:puede[ns]?|podrían?) ayudar(?:me)?.*|saludos.*/,
]

/** Signs of a problem, with their weights. */
export const PROBLEM_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [
    2,
    /no (?:funciona\w*|se puede|puedo|podemos|carga|llega|aparece|abre|deja)|error|falla|fallan|roto|rota|incorrect[oa]s?|duplicad[oa]s?|perdid[oa]s?|lent[oa]s?|sigue sin/u,
  ],
]

/** Signs of a request, with their weights. */
export const REQUEST_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [2, /gustaría|sería (?:útil|genial|bueno|ideal|bonito)|podrían|ojalá|estaría bien|añad\p{L}+|agreg\p{L}+/u],
]

/** Phrases that ask for something. */
export const REQUEST_PHRASES = /quiero|queremos|necesit\p{L}+/u

/** How a sentence becomes a title, see `naming/titles.ts`. */
export const TITLE_SIGNS: TitleSigns = {
  greeting: /hola|buenos d[ií]as|buenas (?:tardes|noches)|estimad[oa]s?/,
  abbreviation: /aprox|sra?/,
  replyPrefix: /rv/,
}

/** Which words of a title are details, see `naming/details.ts`. */
export const DETAIL_SIGNS: DetailSigns = {
  joining: /el|la|los|las|un|una|del?|al|y|es|son|no|a|en|para|por|con|sin|mi|mis|nuestr[oa]s?|muy|se/,
  durationStem: /hor|d[ií]as?|seman|mes|años?/,
}

/** How well a title or a sentence reads on its own, see `naming/readability.ts`. */
export const READABILITY_SIGNS: ReadabilitySigns = {
  replyStart: /sí/,
}

/** How people express what common labels stand for. Phrases match as consecutive words. */
export const LABEL_CUES: LabelCues = {
  bug: {
    labels: phrases(`fallo`),
    cues: [],
  },
}

/** Words by which a tag asks for a measure, see `tagging/measures.ts`. */
export const MEASURE_SIGNS: MeasureSigns = {
  share: /porcentaje/,
  growth: /crecimiento/,
  week: /semana/,
  count: /número|cuántos|cuántas/,
  people: /clientes|personas|usuarios/,
  mention: /mensajes|menciones/,
  days: /días/,
  since: /desde/,
  first: /primera/,
  otherTime: /mes|año/,
}

/** Parts of thanks, automatic replies and channel notices, see `text/noise.ts`. */
export const NOISE_SIGNS: NoiseSigns = {
  agreement:
    /(?:yo|nosotros|aquí|aqui) (?:también|tambien)|a (?:mí|mi|nosotros) (?:también|tambien)|igual|lo mismo|ídem|confirmo/,
  addition: /también|tambien|además/,
  beforeAgreement: /sí|si/,
}

/** Grammar of tag descriptions, see `tagging/plan.ts`. */
export const TAG_SIGNS: TagSigns = {
  exclusion: /\s+(?:excepto|salvo)/,
  conjunction: /y|o/,
  condition: /cuando|para/,
  example: /\bpor ejemplo/,
  grade: /alto|alta|medio|media|bajo|baja|otro|otros/,
}

/** Values listed in tag descriptions, see `tagging/options.ts`. */
export const OPTION_SIGNS: OptionSigns = {
  subjectStart: /todo/,
  subjectHeading: /todo/,
  openStart: /cuál|qué|tipo|área|nivel/,
  listLead: /un[ao]? de|opciones/,
  commaSeparator: /o|y|e/,
  separator: /o|u|y|e/,
  lastSeparator: /o/,
  labelStart: /la|los|las|el/,
  labelEnd: /según|conforme/,
  valueLead: /o|y/,
}

/** Words that negate a sentence. */
export const NEGATIONS = /(?:no|nunca|jamás|ning[uú]n|ningun[oa]s?|nada|nadie|sin|tampoco|ni)/u
