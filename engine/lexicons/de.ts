import { words } from './words.ts'

/** Words that say nothing about the subject of a sentence. */
export const STOPWORDS = words(
  `der die das ein eine einen einem einer und oder aber wenn dann so weil als von an bei für mit über in im ins auf aus
  zu zum zur ist sind war waren bin sein haben hat habe hatte kann können könnte wird werden würde soll muss darf
  nicht kein keine nur auch sehr schon noch mal es ich du er sie wir ihr mich mir uns euch mein meine unser unsere
  dein was wie wo wer warum wann welche alle jede mehr andere bitte danke hallo jetzt hier da seit bis immer wieder
  gerne brauche möchte heute morgen gestern woche tag monat zeit jahr dass sich den dem des nach vor`,
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

/** Words of each intent cue, see `intents.ts`. */
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

/** Words by which a tag asks for a measure, see `measures.ts`. */
export const MEASURE_SIGNS = {
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
} as const

/** Parts of thanks, automatic replies and channel notices, see `noise.ts`. */
export const NOISE_SIGNS = {
  greeting: /hallo/,
  addressee: /zusammen/,
  degree: /vielen|herzlichen|lieben/,
  thanks: /danke|dank/,
  resolved: /alles (?:geklärt|erledigt|gut jetzt)|ticket kann geschlossen werden|hat sich erledigt/,
  autoReply: /abwesenheitsnotiz|automatische antwort/,
  objection: /aber|trotzdem|nicht|kein|keine|fehlt|fehler|falsch|immer noch|wieder|könnt|kann|wann|warum/,
  place: /kanal/,
  channelNotice:
    /(?:\S+ ){0,4}(?:ist|sind|hat|haben) (?:dem |den |der |das )?(?:kanal|channel|gruppe|thread).{0,40}(?:beigetreten|verlassen|umbenannt)/,
} as const

/** Grammar of tag descriptions, see `plan.ts` and `options.ts`. */
export const TAG_SIGNS = {
  exclusion: /\s+(?:aber\s+nicht|außer)/,
  conjunction: /oder|und|wenn|weil/,
  condition: /wenn|falls|bei|für/,
  example: /\bz\. ?b\.|\bzum beispiel/,
  grade: /hoch|mittel|niedrig|gering|ja|nein|sonstiges|andere/,
} as const
