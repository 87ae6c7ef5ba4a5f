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

export { stemmer as STEM } from '@orama/stemmers/german'

// Split by subject: one file would exceed the limit of 400 lines.
export { KIND_CUES } from './de/kinds.ts'
export { TONES } from './de/tones.ts'

/** Words that say nothing about the subject of a sentence. */
export const STOPWORDS = words(
  `der die das ein eine einen einem einer und oder aber wenn dann so weil als von an bei für mit über in im ins auf aus
  zu zum zur ist sind war waren bin sein haben hat habe hatte kann können könnte wird werden würde soll muss darf
  nicht kein keine nur auch sehr schon noch mal es ich du er sie wir ihr mich mir uns euch mein meine unser unsere
  dein was wie wo wer warum wann welche alle jede mehr andere bitte danke hallo jetzt hier da seit bis immer wieder
  gerne brauche möchte heute morgen gestern woche tag monat zeit jahr dass sich den dem des nach vor`,
)

/** After these words comes a noun, with or without what describes it. */
export const NOUN_LEADS = words(
  `der die das dem den des ein eine einen einem einer eines mein meine meinen meinem meiner unser unsere unseren unserem unserer
  dein deine euer eure ihre ihr ihren dieser diese dieses diesem diesen kein keine keinen im am beim vom zum zur von mit für ohne
  bei aus auf an in ins über pro jede jeder jedes alle`,
)

/** Nouns that say too little to name a theme, and words that are often taken for nouns. */
export const VAGUE_NOUNS = words(
  `cent euro sekunde minute stunde tag woche wochenende monat quartal jahr uhr zeit datum heute morgen gestern montag dienstag
  mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober november
  dezember seite firma kunde kunden nutzer leute person kollege kollegen team chef ding sache art teil ende anfang zahl
  anzahl summe beispiel fall punkt grund idee arbeit abend nacht name wort option hälfte paar liste version ort`,
)

/** The most common words, for language detection, without those that are content words in another language. */
export const COMMON_WORDS = words(
  `der die das ist sind war ein eine einen und oder zu von im auf für mit mein meine dein ich du es wir ihr dies nicht
  kein keine habe hat haben kann wie was warum wann wenn bei aus nach noch auch beim den dem des sich seit bitte wird
  werden sie einer einem eines zum zur als dass diese dieser dieses alle alles nur über ohne können konnte konnten
  wurde wurden gibt hier dann mehr mir mich uns unser unsere unseren unserer ihre euch jede jeder jedes sehr immer
  wieder schon doch muss müssen möchte möchten würde wäre hätte hätten gerne etwas nichts viel viele zwischen waren
  gute danke hallo jetzt heute`,
)

/** Letters that English does not have. */
export const LETTERS = /[äöüß]/

/** Words of chit-chat. None may be the subject of feedback. */
export const CHAT_WORDS = words(
  `abend aber alle alles auch bin bis bitte bitteschön cool danke dankeschön dank das dann dir die ein eine einen euch
  frohe ganz gern gerne geht genau gruß grüße gut gute guten guter hallo herzlichen heute hey ihr ihnen ist ja jawohl
  kein keine klar klasse leute liebe lieben mal mega mir mittag moin montag morgen na nacht nee nein nett noch ok okay
  passt perfekt prima problem schön schöne schönen schönes sehr servus so später spitze super tag team tschüss tschüß
  toll und viel viele vielen von wir wochenende wünsche zusammen euch feierabend freitag stimmt läuft`,
)

/** Words that may occur in "us too". */
export const AGREEMENT_WORDS = words(
  `dito auch bei uns mir hier genauso ebenfalls gleiche gleiches dasselbe selbe selben das der die ist wir ich haben
  habe problem ja stimmt geht es so ebenso kann bestätigen`,
)

/** Words that express agreement. */
export const AGREEMENT_CUES = words(`dito auch genauso ebenfalls gleiche gleiches dasselbe selbe ebenso bestätigen`)

/** Words that occur in automatic replies, thanks and channel notices. */
export const NOISE_PATTERN_WORDS = words(`danke dank erledigt jetzt geschlossen abwesenheitsnotiz automatische kanal`)

/** Words about feedback itself or about tagging. */
export const META_WORDS = words(
  `im um ihr alles etwas rund ums geht thema themen kunden kunde nutzer rückmeldung rückmeldungen fehler betrifft`,
)

/** Words that may describe a measure. */
export const MEASURE_WORDS = words(
  `anteil prozent prozentsatz anzahl viele oft wachstum zunahme wächst woche wöchentlich erwähnungen erwähnung
  nachrichten kunden personen leute nutzer tage seit zahl letzten letzte ersten erste allen aller gesamt insgesamt
  davon haben diese dieses diesem einsicht problem gesagt gemeldet verschiedene verschiedener wochen pro`,
)

/** Words that begin a yes-or-no question. */
export const YES_NO_STARTERS = words(`kann ist sind gibt`)

/** Labels for problems. */
export const PROBLEM_LABELS = words(`fehler problem probleme störung störungen defekt mangel`)

/** Labels for requests. */
export const REQUEST_LABELS = ['wunsch', 'wünsche', 'idee', 'ideen', 'vorschlag', 'vorschläge', 'verbesserung']

/** Words of each intent cue, see `text/intents.ts`. */
export const INTENT_CUES: Readonly<Record<string, readonly string[]>> = {
  '!not': words(`nicht kein keine keinen nie kaputt geht`),
  '!cost': words(`gebühr gebühren kosten kostet preis`),
  '!get': words(`bestellen beantragen bekommen`),
  '!on': words(`hinzufügen aktivieren einschalten verbinden`),
  '!off': words(`löschen entfernen stornieren kündigen abbestellen deaktivieren ausschalten trennen`),
  '!up': words(`erhöhen`),
  '!down': words(`senken verringern`),
  '!next': words(`nächste nächsten nächster`),
  '!last': words(`letzte letzten letzter`),
  '?why': words(`warum wieso weshalb`),
  '?where': words(`wo woher`),
  '?when': words(`wann`),
  '?who': words(`wer wem`),
  '?which': words(`welche welcher welches`),
  '?how': words(`wie`),
}

/** The same for words that mean something else in another language. */
export const OWN_INTENT_CUES = { '?what': words(`was`) }

/** What a text asks for, see `text/intents.ts`. */
export const INTENT_SIGNS: IntentSigns = {
  problemStem: /fehl|falsch/,
  dateUnit: /woche|monat|jahr/,
}

/** The frame of letters and mails, see `text/prepare.ts`. */
export const LETTER_SIGNS: LetterSigns = {
  quoteHeading: /ursprüngliche nachricht|weitergeleitete nachricht/,
  quoteDate: /am/,
  quoteVerb: /schrieb/,
  senderHeader: /von/,
  nextHeader: /gesendet|datum|an/,
  signature: /gesendet von meinem|von meinem .{1,20} gesendet/,
  closing:
    /vg|lg|mfg|danke|vielen dank|grüße|gruß|(?:viele|liebe|beste|schöne|freundliche|mit freundlichen|mit besten) (?:grüße|grüßen|gruß)/,
  closingTail: /im voraus|und .{3,20}|aus .{3,20}/,
  greeting: /hallo|moin|servus|liebes|lieber|liebe|guten (?:tag|morgen|abend)|sehr geehrte\w*/,
  addressee: /zusammen|leute|damen und herren/,
  greetingLine: /hallo/,
  lineAddressee: /zusammen/,
}

/** Courtesies and filler sentences, as whole sentences. */
export const COURTESIES: readonly RegExp[] = [
  /(?:ich|wir) hoffe(?:n)?,? .*(?:gut|wohl)|(?:vielen |herzlichen |besten )?dank(?: (?:im voraus|vorab|für (?:die|ihre|eure|deine) .*))?|(?:ich |wir )?freue(?:n)? (?:mich|uns) (?:auf|über) .*|(?:ich |wir )?bitte(?:n)? um (?:eine )?(?:kurze |schnelle |baldige )?(?:rückmeldung|antwort|hilfe|info|unterstützung).*|(?:können|könnt|könnten|könntet) (?:sie|ihr) (?:mir|uns)(?: bitte)?(?: hier| da| dabei)? (?:weiter)?helfen/,
]

/** Signs of a problem, with their weights. */
export const PROBLEM_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [
    2,
    /fehler\w*|kaputt|defekt\w*|falsch\w*|doppelt\w*|funktioniert nicht|geht nicht|nicht mehr|schlägt fehl|schlagen fehl|stürzt|hängt|steckt fest|verschwind\w*|verschwunden|verloren|fehlt|fehlen|leer|langsam|zu spät|kann nicht|können nicht|lässt sich nicht/u,
  ],
  [1, /nicht|keine?n?|schon wieder|immer noch/u],
]

/** Signs of a request, with their weights. */
export const REQUEST_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [
    2,
    /wäre(?:n)? \p{L}+|wünsch\p{L}*|könnte(?:t|n|st)? (?:man|ihr|wir|es|sie|du)|bitte (?:ergänz|füg|bau|ermöglich|macht)\p{L}*|geplant|plant ihr|hätten? (?:wir |ich )?gern\p{L}*|wann kommt|möglichkeit|würden? (?:uns|mir|gern|gerne|sehr|helfen)|vorschlag/u,
  ],
]

/** Phrases that ask for something. */
export const REQUEST_PHRASES = /möchten?|brauchen?|benötigen?/u

/** How a sentence becomes a title, see `naming/titles.ts`. */
export const TITLE_SIGNS: TitleSigns = {
  greeting: /hallo|moin|guten (?:tag|morgen|abend)|liebes|sehr geehrte\w*/,
  addressee: /zusammen|leute|damen und herren/,
  filler: /aw|wg|und|aber|also/,
  kindLabel: /wunsch|frage|fehler|problem|betreff|thema/,
  please: /bitte/,
  apology: /danke/,
  hedge: /leider/,
  trailer: /bitte|hat das noch jemand|bei uns auch|danke/,
  connector: /weil|aber|obwohl|da ich|damit|und (?:dann|es|(?=(?:ich|wir)\b))/,
  circumstance: /wenn|nachdem|sobald/,
  clauseSubject: /ich|wir|man|die|der|das/,
  dangling: /der|die|das|ein|eine|und|oder|mit|für|von|zu|im|in|wenn|dass|ist/,
  neverLast: /der|die|das|eine|und|oder|für|wenn|dass/,
  abbreviation: /ca|z\.\s?b|d\.\s?h|u\.\s?a|bzw|inkl|evtl|ggf|nr/,
  replyPrefix: /aw|wg/,
}

/** Which words of a title are details, see `naming/details.ts`. */
export const DETAIL_SIGNS: DetailSigns = {
  joining:
    /der|die|das|den|dem|des|ein(?:e[rnms]?)?|und|ist|sind|nicht|kein(?:e[rnms]?)?|zu|zum|zur|im|in|am|an|auf|für|von|vom|mit|bei|beim|nach|unser(?:e[rnms]?)?|mein(?:e[rnms]?)?|sehr/,
  durationStem: /sekund|stund|tag|woch|monat|jahr/,
}

/** How well a title or a sentence reads on its own, see `naming/readability.ts`. */
export const READABILITY_SIGNS: ReadabilitySigns = {
  problem: /fehl\w*|kaputt|nicht|kein\w*|falsch|langsam|geht/,
  heading: /anfrage|fragen?|probleme?|beschwerde|anliegen|hinweis/,
  praise: /super|toll|gut|schön|prima/,
  contrast: /aber|jedoch|allerdings/,
  vague: /es|das|dies|dann/,
  replyStart: /ja|nein|auch|genau|hier/,
}

/** How people express what common labels stand for. Phrases match as consecutive words. */
export const LABEL_CUES: LabelCues = {
  bug: {
    labels: phrases(`fehler`),
    cues: phrases(`funktioniert nicht, geht nicht, fehlerhaft, kaputt, stürzt ab`),
  },
  request: {
    labels: phrases(`wunsch, idee`),
    cues: phrases(`wünschen, wäre schön, bitte ergänzt, hätten gern`),
  },
  question: {
    labels: phrases(`frage`),
    cues: phrases(`wie kann ich, wo finde ich`),
  },
  praise: {
    labels: phrases(`lob`),
    cues: [],
  },
  cancellation: {
    labels: phrases(`kündigung`),
    cues: phrases(`kündigen`),
  },
  billing: {
    labels: phrases(`abrechnung`),
    cues: phrases(`rechnung, abrechnung`),
  },
  login: {
    labels: phrases(`anmeldung`),
    cues: phrases(`passwort, anmelden, anmeldung`),
  },
  performance: {
    labels: [],
    cues: phrases(`langsam`),
  },
  mobile: {
    labels: [],
    cues: phrases(`handy`),
  },
  notification: {
    labels: [],
    cues: phrases(`benachrichtigung`),
  },
  security: {
    labels: [],
    cues: phrases(`dsgvo, datenschutz`),
  },
  pricing: {
    labels: [],
    cues: phrases(`preis, teuer`),
  },
  delivery: {
    labels: phrases(`versand`),
    cues: phrases(`lieferung, versand, paket`),
  },
  returns: {
    labels: [],
    cues: phrases(`rückgabe, erstattung`),
  },
}

/** Words by which a tag asks for a measure, see `tagging/measures.ts`. */
export const MEASURE_SIGNS: MeasureSigns = {
  share: /anteil|prozent|prozentsatz/,
  growth: /wachstum|zunahme|wächst/,
  week: /woche|wöchentlich/,
  count: /anzahl|wie viele|wie oft/,
  people: /kunden|personen|leute|nutzer/,
  mention: /wie oft|erwähnungen|nachrichten/,
  days: /tage/,
  since: /seit/,
  first: /erste|ersten|erstmals/,
  otherTime: /monat|jahr/,
}

/** Parts of thanks, automatic replies and channel notices, see `text/noise.ts`. */
export const NOISE_SIGNS: NoiseSigns = {
  greeting: /hallo/,
  addressee: /zusammen/,
  degree: /vielen|herzlichen|lieben/,
  thanks: /danke|dank/,
  agreement:
    /dito|ebenso|ebenfalls|genauso|dasselbe|gleiche[srn]? (?:problem|hier|bei)|(?:bei (?:uns|mir)|hier|wir|ich) (?:auch|ebenfalls|genauso|dasselbe)|auch (?:bei|hier)|(?:\S+ ){1,3}(?:genauso|dasselbe)|kann ich bestätigen/,
  addition: /auch|außerdem/,
  beforeAgreement: /ja|jep|oh|moin/,
  resolved: /alles (?:geklärt|erledigt|gut jetzt)|ticket kann geschlossen werden|hat sich erledigt/,
  autoReply: /abwesenheitsnotiz|automatische antwort/,
  objection: /aber|trotzdem|nicht|kein|keine|fehlt|fehler|falsch|immer noch|wieder|könnt|kann|wann|warum/,
  place: /kanal/,
  channelNotice:
    /(?:\S+ ){0,4}(?:ist|sind|hat|haben) (?:dem |den |der |das )?(?:kanal|channel|gruppe|thread).{0,40}(?:beigetreten|verlassen|umbenannt)/,
}

/** Grammar of tag descriptions, see `tagging/plan.ts`. */
export const TAG_SIGNS: TagSigns = {
  exclusion: /\s+(?:aber\s+nicht|außer)/,
  conjunction: /oder|und|wenn|weil/,
  condition: /wenn|falls|bei|für/,
  example: /\bz\. ?b\.|\bzum beispiel/,
  grade: /hoch|mittel|niedrig|gering|ja|nein|sonstiges|andere/,
}

/** Values listed in tag descriptions, see `tagging/options.ts`. */
export const OPTION_SIGNS: OptionSigns = {
  subjectStart: /alles/,
  subjectHeading: /alles/,
  openStart: /welche[rsn]?|was|wer|wie|wo|art|bereich/,
  listLead: /ob es sich um|eine[rs]? von|eine[rs]? der folgenden|entweder|optionen|werte/,
  commaSeparator: /oder|und/,
  separator: /oder|und/,
  lastSeparator: /oder/,
  labelStart: /oder|und|eine[nmr]?|ein|der|die|das/,
  labelEnd: /je|nach|handelt/,
  quotedMention: /erwähnt/,
  valueLead: /oder|und/,
  clauseConjunction: /und|oder/,
  clauseCondition: /wenn|bei/,
}

/** Words that negate a sentence. */
export const NEGATIONS = /(?:nicht|nichts|kein(?:e[rnms]?)?|nie|niemals|niemand|nirgends|ohne|weder|kaum)/u
