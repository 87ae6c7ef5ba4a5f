/** How people express what a common label stands for. Phrases match as consecutive words. */
const LABEL_CUES: readonly (readonly [labels: string, cues: string])[] = [
  [
    'bug|bugs|defect|error|errors|fehler|bogue|fallo',
    'bug|error|crash|broken|fails|failing|failed|does not work|doesnt work|do not work|dont work|not working|stopped working|stops working|no longer works|wont load|cannot open|cant open|freezes|glitch|goes wrong|wrong|rejected|denied|not possible|never arrives|doesnt arrive|dies|loses|is missing|came in double|timed out|gets lost|are lost|is lost|go missing|disappears|hangs|funktioniert nicht|geht nicht|fehlerhaft|kaputt|stürzt ab',
  ],
  [
    'feature request|feature requests|request|requests|wish|wishes|idea|ideas|feature|enhancement|wunsch|idee',
    'feature request|please add|would like|would love|wish|it would be|add support|add an option|option to|ability to|need a way|could you add|can you add|please support|would help|please allow|please let|let us|we need|wünschen|wäre schön|bitte ergänzt|hätten gern',
  ],
  [
    'question|questions|how to|frage',
    'how do i|how do we|how can i|how can we|how to|where do i|where can i|what is the|is there a way|question|wie kann ich|wo finde ich',
  ],
  [
    'praise|compliment|compliments|positive|lob',
    'love it|love the|love this|love your|thank you for|great job|well done|fantastic|awesome|excellent|wonderful|super happy|best',
  ],
  [
    'cancellation|churn|churn risk|kündigung',
    'cancel|cancelling|cancellation|switch to|switching to|leaving|leave you|competitor|kündigen',
  ],
  [
    'billing|payments|payment|invoicing|abrechnung',
    'invoice|billing|billed|payment|charged|subscription|refund|receipt|credit card|rechnung|abrechnung',
  ],
  [
    'login|sign in|authentication|access|anmeldung',
    'login|password|sso|saml|authentication|two factor|locked out|passwort|anmelden|anmeldung',
  ],
  ['performance|speed|slowness', 'slow|slowly|latency|takes forever|loading|load time|lag|timeout|times out|langsam'],
  ['mobile|mobile app|app', 'mobile|ios|iphone|android|phone|ipad|handy'],
  ['integration|integrations|api', 'integration|integrations|api|webhook|connector|sync'],
  ['export|exports|reporting', 'export|csv|exporting'],
  ['import|imports', 'import|importing|upload'],
  ['notification|notifications|emails|e-mail', 'notification|notifications|reminder|digest|alert|benachrichtigung'],
  ['security|privacy', 'security|vulnerability|privacy|gdpr|data leak|dsgvo|datenschutz'],
  ['pricing|price|cost', 'price|pricing|expensive|costs too much|discount|too much money|preis|teuer'],
  [
    'delivery|shipping|versand',
    'delivery|delivered|shipping|shipped|courier|parcel|package arrived|lieferung|versand|paket',
  ],
  ['returns|refund|refunds', 'return label|returned|refund|money back|rückgabe|erstattung'],
]

const CUES_BY_LABEL = new Map(
  LABEL_CUES.flatMap(([labels, cues]) => labels.split('|').map((label) => [label, cues] as const)),
)

/** The phrases for a common label; empty for any other label. */
export function labelCues(label: string): string[] {
  return CUES_BY_LABEL.get(label.trim().toLowerCase())?.split('|') ?? []
}
