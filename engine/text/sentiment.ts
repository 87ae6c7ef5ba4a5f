/** How something is said: as a problem, or as a request for something missing. */
export type Sentiment = 'problem' | 'request'

const MAX_TEXT_LENGTH = 2_000
/** One strong sign, or two weak ones. */
const MIN_WEIGHT = 2
/** People who request something often describe the problem of being without it. */
const REQUEST_FACTOR = 1.5

const LABELS: Readonly<Record<Sentiment, ReadonlySet<string>>> = {
  problem: new Set(
    'bug|bugs|defect|defects|error|errors|problem|problems|fault|faults|failure|failures|broken|trouble|incident|incidents|fehler|problem|probleme|störung|störungen|defekt|mangel|bogue|bogues|problème|problèmes|erreur|erreurs|panne|fallo|fallos|problema|problemas|errores|falla|erro|erros|falha|falhas'.split(
      '|',
    ),
  ),
  request: new Set(
    'feature request|feature requests|feature|features|new feature|request|requests|wish|wishes|idea|ideas|enhancement|enhancements|improvement|improvements|suggestion|suggestions|wunsch|wünsche|idee|ideen|vorschlag|vorschläge|verbesserung|demande|demandes|souhait|souhaits|amélioration|idée|idées|petición|peticiones|solicitud|solicitudes|deseo|sugerencia|sugerencias|mejora|mejoras|pedido|pedidos|sugestão|sugestões|desejo|melhoria'.split(
      '|',
    ),
  ),
}

const SIGNS: Readonly<Record<Sentiment, readonly (readonly [weight: number, sign: RegExp])[]>> = {
  problem: [
    [
      2,
      /\b(?:broken|breaks|broke|crash\w*|fail\w*|errors?|bugs?|buggy|glitch\w*|freez\w*|froze\w*|hangs|hanging|stuck|dies|died|dead|wrong|wrongly|incorrect\w*|corrupt\w*|missing|lost|loses|losing|vanish\w*|disappear\w*|gone|blank|empty|twice|doubled?|duplicat\w*|rejected|refused|denied|declined|stopped|stops|mismatch\w*|garbled|unusable|unreadable|unreliable|unresponsive|stutter\w*|halts|halted|slow|slowly|lags?|laggy|timeouts?|timed out|times out|forgets|forgot|skipped|skips|ignored|ignores|resets?|reappears?|outage|invalid|expired)\b/g,
    ],
    [
      2,
      /\b(?:can['’]?t|cannot|can not|won['’]?t|will not|would not|wouldn['’]?t|does not|doesn['’]?t|did not|didn['’]?t|couldn['’]?t|could not|no longer|not working|never (?:arriv\w*|com\w+|show\w*|load\w*|work\w*|get\w*|reach\w*|happen\w*)|takes? (?:forever|ages|minutes)|by (?:itself|themselves)|out of sync|locked out|off by|keeps? \w+ing|instead of the)\b/g,
    ],
    [
      1,
      /\b(?:not|never|too late|too early|again|still|suddenly|isn['’]?t|aren['’]?t|nothing|unable|since (?:the|last) \w+)\b/g,
    ],
    [
      2,
      /(?<!\p{L})(?:fehler\w*|kaputt|defekt\w*|falsch\w*|doppelt\w*|funktioniert nicht|geht nicht|nicht mehr|schlägt fehl|schlagen fehl|stürzt|hängt|steckt fest|verschwind\w*|verschwunden|verloren|fehlt|fehlen|leer|langsam|zu spät|kann nicht|können nicht|lässt sich nicht)(?!\p{L})/gu,
    ],
    [1, /(?<!\p{L})(?:nicht|keine?n?|schon wieder|immer noch)(?!\p{L})/gu],
    [
      2,
      /(?<!\p{L})(?:no (?:funciona\w*|se puede|puedo|podemos|carga|llega|aparece|abre|deja)|error|falla|fallan|roto|rota|incorrect[oa]s?|duplicad[oa]s?|perdid[oa]s?|lent[oa]s?|sigue sin|não (?:funciona|consigo|abre|carrega|chega)|erro|falha|quebrad[oa]|errad[oa])(?!\p{L})/gu,
    ],
    [
      2,
      /(?<!\p{L})(?:(?:ne |n['’])\p{L}+ (?:pas|plus|jamais)|impossible (?:de|d['’])\p{L}*|erreurs?|en panne|plante|bloquée?s?|perdue?s?|lente?s?|en double|incorrecte?s?)(?!\p{L})/gu,
    ],
  ],
  request: [
    [
      2,
      /\bwould (?:really |also |very much |just |definitely )?(?:love|like|help|save|appreciate|prefer|be (?:so |really |very |a )?(?:nice|great|lovely|helpful|useful|handy|good|perfect|wonderful|amazing|awesome|cool|ideal|convenient|huge))\b/g,
    ],
    [
      2,
      /\b(?:we['’]?d|i['’]?d) (?:really |also )?(?:love|like|appreciate)\b|\b(?:i|we) wish\b|\bwish (?:i|we|you|there|it)\b|\bany (?:chance|plans?)\b|\byou plan(?:ning)?\b|\bplans? (?:for|to)\b|\bon (?:the|your) roadmap\b|\bfeature request\b|\babilit(?:y|ies) to\b|\boptions? to\b|\ba way to\b|\bpossib(?:le|ility) (?:to|of)\b|\bwhen (?:will you|can we|are you)\b/g,
    ],
    [
      2,
      /\b(?:please|pls|could you|can you|would you|why not|you should|kindly)(?: also| maybe| at least)? (?:add|support|offer|include|allow|let|give|consider|introduce|provide|implement|bring|build|enable|make it)\b/g,
    ],
    [2, /\bcould (?:we|there|it|they|\w+ \w+) (?:be|have|get)\b|\b(?:can|could|may) we (?:have|get)\b/g],
    [
      1,
      /\b(?:please|need|needs|want|wants|wanted|hope|hoping|insists?|suggest\w*|proposal|idea|let (?:me|us|\w+s)|it would|that would|looking for|instead of having|automatically|optional|customi[sz]\w*|own|support for)\b/g,
    ],
    [
      2,
      /(?<!\p{L})(?:wäre(?:n)? \p{L}+|wünsch\p{L}*|könnte(?:t|n|st)? (?:man|ihr|wir|es|sie|du)|bitte (?:ergänz|füg|bau|ermöglich|macht)\p{L}*|geplant|plant ihr|hätten? (?:wir |ich )?gern\p{L}*|wann kommt|möglichkeit|würden? (?:uns|mir|gern|gerne|sehr|helfen)|vorschlag)(?!\p{L})/gu,
    ],
    [
      2,
      /(?<!\p{L})(?:gustaría|sería (?:útil|genial|bueno|ideal|bonito)|podrían|ojalá|estaría bien|añad\p{L}+|agreg\p{L}+|gostaria|seria (?:bom|útil|ótimo|legal)|poderiam|adicionem)(?!\p{L})/gu,
    ],
    [
      2,
      /(?<!\p{L})(?:j['’]aimerais|on aimerait|aimerions|serait (?:bien|utile|génial|pratique|super|top)|pourriez[- ]vous|souhait\p{L}*|ajoutez|il faudrait|est-il prévu)(?!\p{L})/gu,
    ],
  ],
}

/** The sentiment a label stands for; null for any other label. */
export function labelSentiment(label: string): Sentiment | null {
  const plain = label.trim().toLowerCase()
  if (LABELS.problem.has(plain)) return 'problem'
  return LABELS.request.has(plain) ? 'request' : null
}

/** The sentiment of a text if it is clear, from its first 2,000 characters; else null. */
export function sentimentOf(text: string): Sentiment | null {
  const read = text.slice(0, MAX_TEXT_LENGTH).toLowerCase()
  const request = weightOf('request', read)
  const problem = weightOf('problem', read)
  if (request >= MIN_WEIGHT && request * REQUEST_FACTOR >= problem) return 'request'
  return problem >= MIN_WEIGHT && problem > request ? 'problem' : null
}

function weightOf(sentiment: Sentiment, text: string): number {
  let sum = 0
  for (const [weight, sign] of SIGNS[sentiment]) sum += weight * (text.match(sign)?.length ?? 0)
  return sum
}
