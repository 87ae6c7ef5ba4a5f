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

export { stemmer as STEM } from '@orama/stemmers/french'

// Split by subject: one file would exceed the limit of 400 lines.
export { KIND_CUES } from './fr/kinds.ts'
export { TONES } from './fr/tones.ts'

/** Words that say nothing about the subject of a sentence. */
export const STOPWORDS = words(
  `je j me m moi mon ma mes tu te toi ton ta tes il elle on nous notre nos vous votre vos ils elles leur leurs se s ce
  c cet cette ces ça cela ceci le la l les un une des du de d et ou mais si donc car comme que qu qui quoi dont où
  quand comment pourquoi quel quelle quels quelles à au aux en y dans sur sous avec sans pour par vers chez entre
  depuis pendant avant après ne n pas plus moins très trop aussi encore déjà toujours jamais tout toute tous toutes
  chaque même autre autres est suis es sommes êtes sont était étaient être été ai as avons avez ont avait avoir fait
  faire font faut peut peux pouvez pouvons peuvent pouvoir pourrait pourriez veux veut voulons voudrais voudrait doit
  doivent devrait va vais vont aller bonjour bonsoir salut merci svp plaît sil maintenant ici là aujourdhui hier
  demain jour jours semaine mois année fois bien mal non oui rien quelque chose besoin aimerais aimerions quune quil
  quelle`,
)

/** After these words comes a noun, with or without what describes it. */
export const NOUN_LEADS = words(
  `le la les un une des du de au aux mon ma mes notre nos votre vos leur leurs ce cet cette ces aucun aucune chaque tous toutes
  dans en sur avec pour sans par entre`,
)

/** Nouns that say too little to name a theme, and words that are often taken for nouns. */
export const VAGUE_NOUNS = words(
  `centime euro seconde minute heure jour semaine mois trimestre année an temps date lundi mardi mercredi jeudi vendredi samedi
  dimanche page société entreprise client clients utilisateur gens personne collègue équipe chose façon sorte partie fin début
  nombre total exemple cas point raison idée travail matin soir nuit nom mot option moitié liste version lieu`,
)

/** The most common words, for language detection, without those that are content words in another language. */
export const COMMON_WORDS = words(
  `le la les un une des du et est sont ne pas je vous nous il elle ce cette ces dans pour sur avec mon ma mes votre vos
  qui que quand pourquoi avons avez peut peux depuis très être été mais cest jai nest au aux en de par si ou nos leur
  leurs notre tout tous toute toutes cet sous vers trop beaucoup chaque aucun aucune deux fois même aussi encore
  toujours jamais rien lorsque était ont suis faire fait puis quel quelle où veuillez merci bonjour cela plusieurs
  après avant entre se à`,
)

/** Letters that English does not have. */
export const LETTERS = /[œàâçéèêëîïôùû]/

/** What is elided before an apostrophe: `l'export`, `qu'il`. In other languages `l'` is part of a name. */
export const ELISIONS = /[cdjlmnst]|qu|jusqu|lorsqu|puisqu/

/** Words that show that a text elides. */
export const ELISION_CONTEXT = /les?|la|une|des|du|est|ne|pas|je|vous|nous|dans|pour|sur|mon|ma|mes|cette|ces/

/** Words of chit-chat. None may be the subject of feedback. */
export const CHAT_WORDS = words(
  `accord aucun beaucoup belle bien bienvenue bientôt bisous bon bonjour bonne bonsoir bravo bref cest ça chers
  cordialement coucou demain entendu équipe et félicitations génial impeccable journée jour lundi merci mille nickel
  non noté oui parfait plaisir rien salut soirée souhaite super top toutes tous très va vendredi vous week à`,
)

/** Words that may occur in "us too". */
export const AGREEMENT_WORDS = words(
  `moi nous chez aussi pareil idem même chose souci problème ici le la on a également je confirme cest oui pour`,
)

/** Words that express agreement. */
export const AGREEMENT_CUES = words(`aussi pareil idem également confirme`)

/** Words that occur in automatic replies, thanks and channel notices. */
export const NOISE_PATTERN_WORDS: readonly string[] = []

/** Words about feedback itself or about tagging. */
export const META_WORDS = words(`clients concerne`)

/** Words that may describe a measure. */
export const MEASURE_WORDS = words(
  `pourcentage nombre combien croissance semaine par clients personnes utilisateurs jours depuis mentions messages tous
  toutes les des de du la le qui ont`,
)

/** Words that begin a yes-or-no question. */
export const YES_NO_STARTERS: readonly string[] = []

/** Labels for problems. */
export const PROBLEM_LABELS = words(`bogue bogues problème problèmes erreur erreurs panne`)

/** Labels for requests. */
export const REQUEST_LABELS = ['demande', 'demandes', 'souhait', 'souhaits', 'amélioration', 'idée', 'idées']

/** Words of each intent cue, see `text/intents.ts`. */
export const INTENT_CUES: Readonly<Record<string, readonly string[]>> = {
  '!not': words(`pas jamais aucun`),
  '!cost': words(`prix frais coûte`),
  '!get': words(`obtenir`),
  '!on': words(`ajouter activer connecter`),
  '!off': words(`supprimer annuler résilier désactiver`),
  '!up': words(`augmenter`),
  '!down': words(`réduire`),
  '!next': words(`prochain prochaine`),
  '!last': words(`dernier dernière`),
  '?why': words(`pourquoi`),
  '?where': words(`où`),
  '?when': words(`quand`),
  '?who': words(`qui`),
  '?which': words(`quel quelle`),
  '?what': words(`quoi`),
}

/** What a text asks for, see `text/intents.ts`. */
export const INTENT_SIGNS: IntentSigns = {
  dateUnit: /semaine|mois/,
}

/** The frame of letters and mails, see `text/prepare.ts`. */
export const LETTER_SIGNS: LetterSigns = {}

/** Courtesies and filler sentences, as whole sentences. */
export const COURTESIES: readonly RegExp[] = [
  /j'espère que .* bien|merci(?: beaucoup| bien)?(?: d'avance| par avance| pour (?:votre|ton) .*)?|dans l'attente (?:de|d') ?.*|pou(?:vez|rriez)[- ]vous m'aider.*|cordialement.*/,
]

/** Signs of a problem, with their weights. */
export const PROBLEM_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [
    2,
    /(?:ne |n['’])\p{L}+ (?:pas|plus|jamais)|impossible (?:de|d['’])\p{L}*|erreurs?|en panne|plante|bloquée?s?|perdue?s?|lente?s?|en double|incorrecte?s?/u,
  ],
]

/** Signs of a request, with their weights. */
export const REQUEST_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [
    2,
    /j['’]aimerais|on aimerait|aimerions|serait (?:bien|utile|génial|pratique|super|top)|pourriez[- ]vous|souhait\p{L}*|ajoutez|il faudrait|est-il prévu/u,
  ],
]

/** Phrases that ask for something. */
export const REQUEST_PHRASES = /veux|voulons|besoin/u

/** How a sentence becomes a title, see `naming/titles.ts`. */
export const TITLE_SIGNS: TitleSigns = {
  greeting: /bonjour|bonsoir|salut|ch[eè]re?s?/,
  abbreviation: /env|p\.\s?ex/,
  replyPrefix: /tr/,
}

/** Which words of a title are details, see `naming/details.ts`. */
export const DETAIL_SIGNS: DetailSigns = {
  joining:
    /le|la|les|un|une|des?|du|au|aux|et|est|sont|ne|pas|à|en|dans|pour|par|sur|avec|sans|mon|ma|mes|notre|nos|ce|cette|très|trop/,
  durationStem: /heur|jour|semain|mois|anné|ans?/,
}

/** How well a title or a sentence reads on its own, see `naming/readability.ts`. */
export const READABILITY_SIGNS: ReadabilitySigns = {
  replyStart: /oui|non/,
}

/** How people express what common labels stand for. Phrases match as consecutive words. */
export const LABEL_CUES: LabelCues = {
  bug: {
    labels: phrases(`bogue`),
    cues: [],
  },
}

/** Words by which a tag asks for a measure, see `tagging/measures.ts`. */
export const MEASURE_SIGNS: MeasureSigns = {
  share: /pourcentage/,
  growth: /croissance/,
  week: /semaine/,
  count: /nombre|combien/,
  people: /personnes|utilisateurs/,
  days: /jours/,
  since: /depuis/,
  first: /première/,
  otherTime: /mois/,
}

/** Parts of thanks, automatic replies and channel notices, see `text/noise.ts`. */
export const NOISE_SIGNS: NoiseSigns = {
  agreement:
    /(?:moi|nous|ici|chez (?:nous|moi)) (?:aussi|également)|pareil|idem|même (?:problème|chose|souci)|je confirme/,
  addition: /aussi|également/,
  beforeAgreement: /oui/,
}

/** Grammar of tag descriptions, see `tagging/plan.ts`. */
export const TAG_SIGNS: TagSigns = {
  exclusion: /\s+sauf/,
  conjunction: /ou|et/,
  condition: /quand|si|pour/,
  example: /\bpar exemple/,
  grade: /élevé|moyen|faible|autre/,
}

/** Values listed in tag descriptions, see `tagging/options.ts`. */
export const OPTION_SIGNS: OptionSigns = {
  subjectStart: /tout/,
  subjectHeading: /tout/,
  openStart: /quelle?s?|type/,
  listLead: /une? de|une? parmi|l['’]un[e]? des|parmi|soit/,
  commaSeparator: /ou|et/,
  separator: /ou|et/,
  lastSeparator: /ou/,
  labelStart: /une?|les?|la/,
  labelEnd: /selon/,
  valueLead: /ou|et/,
}

/** Words that negate a sentence. */
export const NEGATIONS = /(?:ne|n'\p{L}+|pas|jamais|aucune?|rien|personne|sans|ni|non)/u
