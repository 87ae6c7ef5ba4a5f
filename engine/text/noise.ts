/**
 * Words of chit-chat. A message made only of these is noise. Contains only words that cannot be the subject of
 * feedback, because noise is never shown.
 */
const CHAT_WORDS = new Set(
  `a ah aha ahh all alright amazing an and anytime appreciate appreciated are at awesome aw aww back bad be beautiful been best bless
  brilliant brb bye byebye cheers clear congrats congratulations cool cu cya da day dear done enjoy evening ever everybody everyone
  excellent exactly fab fabulous fantastic fine folks for friday friends fun fyi fya ftw glad good goodbye goodnight got gotcha
  great guys ha haha hahaha happy have hear hello hey hi hiya hmm hooray hope how hurray i ill im in indeed is it its ive just k kk kudos
  later legend long lmao lol lovely lunch luv ma many mate me merci monday morning much my n na nah neat never nice night nm no nope not
  np nvm of off oh ok okay okey omg one onto oops ooh our out perfect pleasure please pls plz pretty rofl right roger same see
  sec shortly sir so soon sorry sounds sup super sure sweet ta tbh team thank thanks thanx that thats the there this thursday thx till
  tmrw to today tomorrow tonight too tuesday ty tysm u up ur very wait was wednesday week weekend welcome well wfm whoa whoop will wonderful
  woo woohoo wow ya yall yay yea yeah yep yes yikes you your youre youve yup works worries
  abend aber alle alles auch bin bis bitte bitteschön cool danke dankeschön dank das dann dir die ein eine einen euch frohe ganz gern gerne geht genau gruß
  grüße gut gute guten guter hallo herzlichen heute hey ihr ihnen ist ja jawohl kein keine klar klasse leute liebe lieben mal mega mir mittag moin
  montag morgen na nacht nee nein nett noch ok okay passt perfekt prima problem schön schöne schönen schönes sehr servus so später spitze
  super tag team tschüss tschüß toll und viel viele vielen von wir wochenende wünsche zusammen euch feierabend freitag stimmt läuft
  accord aucun beaucoup belle bien bienvenue bientôt bisous bon bonjour bonne bonsoir bravo bref cest ça chers cordialement coucou demain entendu équipe et
  félicitations génial impeccable journée jour lundi merci mille nickel non noté oui parfait plaisir rien salut soirée
  souhaite super top toutes tous très va vendredi vous week à
  abrazo adiós amigos buen buena buenas bueno buenos chao claro de días entendido equipo estupendo excelente favor felicidades fin fantástico genial
  gracias hasta hola igualmente luego mañana mil mucha muchas muchísimas muy nada noches ok perfecto por pronto sábado saludo saludos semana si sí
  tal tardes todo todos vale viernes y
  abraço abraços amanhã até atenciosamente bem boa boas bom certo combinado dia e ei equipe excelente fechado feliz feriado fim imenso
  logo maravilha muito muita nada não noite obg obrigada obrigadão obrigado oi olá ótima ótimo ótimos parabéns pessoal perfeito pra pro sexta sim
  tarde todos tudo valeu vlw`.split(/\s+/),
)

/** Laughter, thanks and agreement in their many spellings. */
const INTERJECTION =
  /^(?:(?:ha){2,}h?|(?:lo)+l+|h+m+|a+w+|o+h+|y+a+y+|w+o+w+|e+h+|ah+|oo+ps|ye+s+|no+|ok+|he+y+|hi+|so+|thx+|than(?:k|x)s?|lmf?ao+|xd+|x+)$/

const SYSTEM_NOTICE =
  /^(?:\S+ ){0,4}(?:has |have |was |were )?(?:joined|left|added to|removed from|renamed|archived|unarchived|pinned a message|set the (?:channel )?(?:topic|purpose|description))\b.{0,80}$/

const SYSTEM_NOTICE_DE =
  /^(?:\S+ ){0,4}(?:ist|sind|hat|haben) (?:dem |den |der |das )?(?:kanal|channel|gruppe|thread).{0,40}(?:beigetreten|verlassen|umbenannt)$/

const THANKS =
  /^(?:hi |hello |hey |hallo )?(?:(?:all|team|everyone|folks|zusammen) )?(?:(?:many|big|huge|vielen|herzlichen|lieben) )?(?:thanks|thank you|thx|cheers|kudos|danke|dank)\b/
const RESOLVED =
  /\b(?:(?:ticket|case|issue|it) can be closed|close (?:the|this|my) (?:ticket|case)|all sorted|all good now|alles (?:geklärt|erledigt|gut jetzt)|ticket kann geschlossen werden|hat sich erledigt)\b/
const AUTO_REPLY =
  /^(?:re )?(?:automatic reply|auto ?reply|out of (?:the )?office|abwesenheitsnotiz|automatische antwort)\b/
const OBJECTION =
  /\b(?:but|however|although|still|again|not|cant|cannot|dont|doesnt|isnt|wont|didnt|never|wrong|missing|broken|fails?|failing|error|slow|please|(?:can|could|would) (?:you|we|i)|how|why|when|need|wish|aber|trotzdem|nicht|kein|keine|fehlt|fehler|falsch|immer noch|wieder|könnt|kann|wann|warum)\b/

/** The whole-message patterns can only match if one of these words, or a non-ASCII word, occurs. */
const PATTERN_WORDS = new Set(
  `thanks thank thx cheers kudos danke dank closed close sorted good erledigt jetzt geschlossen automatic auto autoreply out
  abwesenheitsnotiz automatische channel kanal group conversation workspace joined left`.split(/\s+/),
)

const IS_NUMBER = 1
const IS_CHAT = 2
const IS_AGREEMENT_WORD = 4
const IS_AGREEMENT_CUE = 8
const IS_PATTERN_WORD = 16

/** Flags of a token as bits, for `noiseReason` and `isAgreement`. */
export function noiseFlagsOf(token: string): number {
  return (
    (isNumber(token) ? IS_NUMBER : 0) |
    (CHAT_WORDS.has(token) || INTERJECTION.test(token) ? IS_CHAT : 0) |
    (AGREEMENT_WORDS.has(token) ? IS_AGREEMENT_WORD : 0) |
    (AGREEMENT_CUE.test(token) ? IS_AGREEMENT_CUE : 0) |
    (PATTERN_WORDS.has(token) || /[^\0-\x7f]/.test(token) ? IS_PATTERN_WORD : 0)
  )
}

function isNumber(token: string): boolean {
  const first = token.charCodeAt(0)
  return first >= 48 && first <= 57 && /^\d+$/.test(token)
}

/**
 * Why a statement has no subject (`greeting or thanks`, `automatic reply`, `channel notice`, `no words`), or null if
 * it may have one. `flags`: `noiseFlagsOf` each token, if known.
 */
export function noiseReason(tokens: string[], flags: ArrayLike<number> = tokens.map(noiseFlagsOf)): string | null {
  let words = 0
  let all = IS_CHAT
  let any = 0
  for (let i = 0; i < tokens.length; i++) {
    const flag = flags[i] as number
    any |= flag
    if (flag & IS_NUMBER) continue
    words++
    all &= flag
  }
  if (words === 0) return 'no words'
  if (
    words < 3 &&
    tokens.every((token) => token.length === 1) &&
    !tokens.some((token) => token.charCodeAt(0) > 0x2e80)
  ) {
    return 'no words'
  }
  if (words <= 14 && all === IS_CHAT) return 'greeting or thanks'
  if ((any & IS_PATTERN_WORD) === 0) return null
  if (tokens.length <= 30) {
    const opening = tokens.join(' ')
    if (AUTO_REPLY.test(opening)) return 'automatic reply'
    if ((THANKS.test(opening) || RESOLVED.test(opening)) && !OBJECTION.test(opening.replace(RESOLVED, ''))) {
      return 'greeting or thanks'
    }
  }
  if (tokens.length <= 16) {
    const line = tokens.join(' ')
    if (
      /\b(?:channel|kanal|group|conversation|workspace)\b/.test(line) &&
      (SYSTEM_NOTICE.test(line) || SYSTEM_NOTICE_DE.test(line))
    ) {
      return 'channel notice'
    }
    if (/^(?:\S+ ){1,3}(?:has )?(?:joined|left)$/.test(line)) return 'channel notice'
  }
  return null
}

const AGREEMENT_WORDS = new Set(
  `1 100 1000 10 0 plus same here too also we us i me this that exactly agreed agree ditto likewise indeed yes yep yeah yup for with at our
  my have see seeing seen get getting here's it is a an the problem issue bug thing one story experience affected us second so very much and
  still confirm confirmed can are were do just hitting happens happening every day week
  dito auch bei uns mir hier genauso ebenfalls gleiche gleiches dasselbe selbe selben das der die ist wir ich haben habe problem ja stimmt
  geht es so ebenso kann bestätigen
  moi nous chez aussi pareil idem même chose souci problème ici le la on a également je confirme cest oui pour
  mí mi también tambien nos pasa igual lo mismo aquí aqui en el yo confirmo sí si problema a
  eu aqui também tambem comigo conosco mesmo mesma igual acontece o coisa sim problema por`.split(/\s+/),
)
const AGREEMENT_CUE =
  /^(?:same|too|ditto|agreed?|likewise|confirm(?:ed)?|second|dito|auch|genauso|ebenfalls|gleiche|gleiches|dasselbe|selbe|ebenso|bestätigen|aussi|pareil|idem|également|confirme|también|tambien|igual|mismo|confirmo|também|tambem|this|exactly|affected|plus|0|1|100)$/

/**
 * Whether a text only agrees ("us too"), so that its subject is that of its conversation. `flags`: see `noiseReason`.
 */
export function isAgreement(tokens: string[], flags: ArrayLike<number> = tokens.map(noiseFlagsOf)): boolean {
  if (tokens.length === 0 || tokens.length > 12) return false
  let all = IS_AGREEMENT_WORD
  let any = 0
  for (let i = 0; i < tokens.length; i++) {
    all &= flags[i] as number
    any |= flags[i] as number
  }
  return all === IS_AGREEMENT_WORD && (any & IS_AGREEMENT_CUE) !== 0
}
