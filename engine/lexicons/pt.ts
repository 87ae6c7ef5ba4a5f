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
import { words } from './words.ts'

export { stemmer as STEM } from '@orama/stemmers/portuguese'

// Split by subject: one file would exceed the limit of 400 lines.
export { KIND_CUES } from './pt/kinds.ts'
export { TONES } from './pt/tones.ts'

/** Words that say nothing about the subject of a sentence. */
export const STOPWORDS = words(
  `eu me mim meu minha meus minhas tu te ti teu tua você vocês ele ela eles elas nós nos nosso nossa nossos nossas se
  seu sua seus suas o a os as lhe um uma uns umas de do da dos das em no na nos nas ao aos à às e ou mas se sim não
  nem que quem qual quando como onde porque por pelo pela para com sem sobre entre desde até muito mais menos também
  já ainda sempre nunca tudo todo toda todos todas cada mesmo mesma outro outra outros outras este esta isto estes
  estas esse essa isso é sou és somos são era eram foi ser sido está estou estão estamos estar estava tenho tem têm
  temos ter tinha há faz fazer faço pode posso podem podemos poder poderia quero quer queremos queria gostaria deve
  devem deveria vai vou vão vamos ir olá oi obrigado obrigada favor bom boa agora aqui ali hoje ontem amanhã dia dias
  semana mês ano vez vezes bem mal nada algo preciso precisamos`,
)

/** After these words comes a noun, with or without what describes it. */
export const NOUN_LEADS = words(
  `o a os as um uma uns umas do da dos das de ao aos no na nos nas meu minha meus minhas nosso nossa nossos nossas seu sua seus
  suas este esta estes estas nenhum nenhuma cada todos todas em com para sem por entre sobre`,
)

/** Nouns that say too little to name a theme, and words that are often taken for nouns. */
export const VAGUE_NOUNS = words(
  `centavo euro segundo minuto hora dia semana mês trimestre ano tempo data segunda terça quarta quinta sexta sábado domingo
  página empresa cliente clientes usuário pessoas pessoa colega equipe coisa maneira tipo parte final início número total
  exemplo caso ponto razão ideia trabalho tarde noite nome palavra opção metade lista versão lugar`,
)

/** The most common words, for language detection, without those that are content words in another language. */
export const COMMON_WORDS = words(
  `o um uma e da em na não é são meu minha que por para com se mas como quando porque mais muito está estão pode posso
  ao já também desde este esta isso você vocês nós pelo pela temos tenho quero nossa nosso à de das ou seu sua seus
  suas nos nas aos sem ser foi foram será tem têm ter só apenas aqui agora sempre nunca nada muita muitas demais cada
  todo toda todos todas outro outra qualquer mesmo até entre sobre onde quem qual eu meus minhas ele ela eles consigo
  consegue podem podemos gostaria gostaríamos deve obrigado obrigada olá favor vez vezes há às num numa esse essa era
  seria`,
)

/** Letters that English does not have. */
export const LETTERS = /[ãõáâàçéêíóôú]/

/** Words of chit-chat. None may be the subject of feedback. */
export const CHAT_WORDS = words(
  `abraço abraços amanhã até atenciosamente bem boa boas bom certo combinado dia e ei equipe excelente fechado feliz
  feriado fim imenso logo maravilha muito muita nada não noite obg obrigada obrigadão obrigado oi olá ótima ótimo
  ótimos parabéns pessoal perfeito pra pro sexta sim tarde todos tudo valeu vlw`,
)

/** Words that may occur in "us too". */
export const AGREEMENT_WORDS = words(
  `eu aqui também tambem comigo conosco mesmo mesma igual acontece o coisa sim problema por`,
)

/** Words that express agreement. */
export const AGREEMENT_CUES = words(`também tambem`)

/** Words that occur in automatic replies, thanks and channel notices. */
export const NOISE_PATTERN_WORDS: readonly string[] = []

/** Words about feedback itself or about tagging. */
export const META_WORDS: readonly string[] = []

/** Words that may describe a measure. */
export const MEASURE_WORDS = words(
  `porcentagem percentual quantos crescimento pessoas usuários dias menções mensagens os as do da dos das disseram em
  sobre`,
)

/** Words that begin a yes-or-no question. */
export const YES_NO_STARTERS: readonly string[] = []

/** Labels for problems. */
export const PROBLEM_LABELS = words(`erro erros falha falhas`)

/** Labels for requests. */
export const REQUEST_LABELS = ['pedido', 'pedidos', 'sugestão', 'sugestões', 'desejo', 'melhoria']

/** Words of each intent cue, see `text/intents.ts`. */
export const INTENT_CUES: Readonly<Record<string, readonly string[]>> = {
  '!not': words(`não nenhum sem`),
  '!cost': words(`preço custa`),
  '!on': words(`adicionar ativar`),
  '!off': words(`excluir remover apagar`),
  '!down': words(`reduzir`),
  '?where': words(`onde`),
  '?when': words(`quando`),
  '?who': words(`quem`),
  '?which': words(`quais`),
}

/** What a text asks for, see `text/intents.ts`. */
export const INTENT_SIGNS: IntentSigns = {
  dateUnit: /semana|mês/,
}

/** The frame of letters and mails, see `text/prepare.ts`. */
export const LETTER_SIGNS: LetterSigns = {}

/** Courtesies and filler sentences, as whole sentences. */
export const COURTESIES: readonly RegExp[] = [
  /espero que .* bem|(?:muito )?obrigad[oa](?: desde já| pela .*| pelo .*)?|aguardo .*(?:retorno|resposta).*|(?:vocês )?(?:podem?|poderiam?) me ajudar.*|atenciosamente.*/,
]

/** Signs of a problem, with their weights. */
export const PROBLEM_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [2, /não (?:funciona|consigo|abre|carrega|chega)|erro|falha|quebrad[oa]|errad[oa]/u],
]

/** Signs of a request, with their weights. */
export const REQUEST_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [2, /gostaria|seria (?:bom|útil|ótimo|legal)|poderiam|adicionem/u],
]

/** Phrases that ask for something. */
export const REQUEST_PHRASES = /quero|queremos|precis\p{L}+/u

/** How a sentence becomes a title, see `naming/titles.ts`. */
export const TITLE_SIGNS: TitleSigns = {
  greeting: /ol[aá]|oi|bom dia|boa (?:tarde|noite)|prezad[oa]s?/,
  abbreviation: /aprox|p\.\s?ex|sra?/,
}

/** Which words of a title are details, see `naming/details.ts`. */
export const DETAIL_SIGNS: DetailSigns = {
  joining: /[oa]s?|uma?|d[eoa]s?|n[oa]s?|ao|e|é|são|não|em|para|por|com|sem|meus?|minhas?|nosso|nossa|muito|se/,
  durationStem: /hor|mes|anos?/,
}

/** How well a title or a sentence reads on its own, see `naming/readability.ts`. */
export const READABILITY_SIGNS: ReadabilitySigns = {
  replyStart: /sim/,
}

/** How people express what common labels stand for. Phrases match as consecutive words. */
export const LABEL_CUES: LabelCues = {}

/** Words by which a tag asks for a measure, see `tagging/measures.ts`. */
export const MEASURE_SIGNS: MeasureSigns = {
  share: /porcentagem|percentual/,
  growth: /crescimento/,
  count: /quantos|quantas/,
  people: /pessoas|usuários/,
  mention: /menções|mensagens/,
  days: /dias/,
  since: /há/,
  first: /primeira|primeiro/,
  otherTime: /mês|ano/,
}

/** Parts of thanks, automatic replies and channel notices, see `text/noise.ts`. */
export const NOISE_SIGNS: NoiseSigns = {
  agreement: /(?:eu|nós|aqui|comigo|conosco) (?:também|tambem)|mesm[oa] (?:problema|coisa|aqui)|igual|idem|confirmo/,
  addition: /também|tambem|além disso/,
  beforeAgreement: /sim/,
}

/** Grammar of tag descriptions, see `tagging/plan.ts`. */
export const TAG_SIGNS: TagSigns = {
  exclusion: /\s+exceto/,
  conjunction: /e|ou/,
  condition: /quando|se|para/,
  example: /\bpor exemplo/,
  grade: /outro|outros/,
}

/** Values listed in tag descriptions, see `tagging/options.ts`. */
export const OPTION_SIGNS: OptionSigns = {
  subjectStart: /tudo/,
  subjectHeading: /tudo/,
  openStart: /qual|tipo|área/,
  listLead: /uma? d[eao]s?|opções/,
  commaSeparator: /ou|e/,
  separator: /ou|e/,
  lastSeparator: /ou/,
  labelStart: /uma?/,
  labelEnd: /conforme|dependendo/,
  valueLead: /ou/,
}

/** Words that negate a sentence. */
export const NEGATIONS = /(?:não|nao|nunca|jamais|nenhum(?:a|ns)?|nada|ninguém|sem|nem|tampouco)/u
