import type { LetterSigns } from '../signs.ts'

/** The frame of letters and mails, see `text/prepare.ts`. */
export const LETTER_SIGNS: LetterSigns = {
  quoteHeading: /original message|forwarded message/,
  quoteDate: /on/,
  quoteVerb: /wrote/,
  senderHeader: /from/,
  nextHeader: /sent|date|to/,
  signature: /sent from my|get outlook for/,
  closingDegree: /best|kind|kindest|warm|warmest|many|with/,
  closing: /regards|wishes|thanks|thank you|thx|cheers|sincerely|yours|best|all the best|ta/,
  closingTail: /again|so much|a lot|in advance|and .{3,20}/,
  greeting: /hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|greetings/,
  addressee: /there|all|team|everyone|everybody|folks|guys|support/,
  greetingLine: /hi|hello|hey/,
  lineAddressee: /there|all|team|everyone|folks/,
}

/** Courtesies and filler sentences, as whole sentences. */
export const COURTESIES: readonly RegExp[] = [
  // well-wishes
  /(?:(?:i|we) (?:really )?)?(?:hope|trust) (?:that )?(?:you|this|all|everything|everyone|your|things)\b.*\b(?:well|fine|safe|great|good|okay|week|weekend|day)\b.{0,20}/,
  /(?:i )?wish(?:ing)? you (?:all|an?|the|and) .*|have a (?:nice|good|great|lovely|wonderful) .*/,
  // thanks, excuses, regards
  /(?:many thanks|thanks|thank you|thx)(?: (?:so|very) much| a lot| a million| again| in advance| everyone| all| guys| team)*(?: for (?:the|your|all|any|all your|all the)? ?(?:quick |fast |prompt |kind |great |speedy )?(?:repl(?:y|ies)|responses?|answers?|help|support|time|patience|understanding|assistance|feedback|messages?|e-?mails?|attention|consideration|info(?:rmation)?)\b.*)?/,
  /(?:(?:i'm|i am|we're|we are) )?(?:so |really |very )?sorry (?:to (?:bother|trouble|disturb)|for (?:the|any|bothering|my|not)|about (?:the|any)) .*/,
  /(?:kind|best|warm|kindest|warmest) (?:regards|wishes).*|cheers.{0,20}|(?:yours )?sincerely.{0,30}/,
  // requests for a reply
  /(?:(?:i|we)(?:'m| am|'re| are)? )?look(?:ing)? forward to .*/,
  /(?:please |pls |kindly )?(?:let (?:me|us) know|get back to (?:me|us)|reply(?: to (?:me|us))?|respond(?: to (?:me|us))?|contact (?:me|us)|call (?:me|us)(?: back)?|reach out(?: to (?:me|us))?|advise|update (?:me|us))(?: (?:asap|soon|today|urgently|as soon as (?:possible|you can)|at your (?:earliest )?convenience|your thoughts|what you think|if (?:you (?:need|have|require|want)|there(?:'s| is| are)) (?:any|some|more|further|additional|other|to know).*|please|on this|by (?:e-?mail|phone)))*/,
  /(?:any|some|your|a quick|a fast) (?:help|advice|ideas?|suggestions?|updates?|answer|repl(?:y|ies)|response|assistance|guidance|news|input)(?: (?:on|with|about) (?:this|that|it))?(?: (?:is|are|would be|will be) (?:much |greatly |very |highly |really )?(?:appreciated|welcome|great|nice|helpful|good|awesome|wonderful))?/,
  /(?:(?:i|we)(?:'d| would) )?(?:really |much |greatly |highly )?(?:appreciate|be (?:grateful|thankful|happy|glad))(?: (?:it|this|that|(?:for )?(?:any|your|some|an?) (?:quick |fast |prompt |kind )?(?:help|advice|assistance|support|reply|response|answer|feedback|updates?|guidance|suggestions?|insight)\b.*|(?:it )?if you (?:could|can|would) (?:please )?(?:help|look|check|get back|assist|respond|reply|advise)\b.*))?(?: (?:very|so) much| a lot)?/,
  // requests for help
  /(?:please |pls )?(?:can|could|would|will) (?:you|u|someone|anyone|somebody|anybody)(?: guys)?(?: (?:please|pls|possibly|maybe|kindly))* (?:help|assist|advise|look into (?:this|it)|take a look(?: at (?:this|it))?|check(?: (?:this|it))?|fix (?:this|it)|explain(?: (?:this|it|why))?)(?: (?:me|us))?(?: (?:out|here|with (?:this|that|it|the)(?: (?:matter|issue|problem|request|one))?))?(?: (?:please|asap|soon|today))?/,
  /(?:please |pls )(?:help|assist|advise|fix)(?: (?:me|us|this|it|asap|urgently|soon|with (?:this|it)))*/,
  /(?:(?:i|we) )?(?:really )?(?:need|want|would like|could use) (?:some |your |any |urgent )?(?:help|assistance|support|advice)(?: (?:with (?:this|that|it|something)|please|here|asap|urgently))*/,
  /(?:(?:i|we) )?(?:just )?(?:have|had|got|'ve got|have got) (?:a|an|one|two|three|some|a few|a couple of|another) ?(?:quick |small |short |general |simple )?(?:questions?|problems?|issues?|requests?|concerns?|suggestions?|ideas?)(?: (?:for you|here|please|today|about (?:this|something|my account|the app|your (?:app|product|service))))*/,
  /(?:(?:i|we)(?:'m| am|'re| are) )?(?:writing|contacting you|reaching out|getting in touch|e-?mailing|messaging)(?: (?:to )?you)?(?: (?:today|again|now))*(?: (?:about|because|regarding|concerning|with|as|for|since) (?:(?:i|we) (?:have|need|want) )?(?:an?|some|the|my|our|this|several)? ?(?:\w+ )?(?:issues?|problems?|questions?|matters?|help|concerns?|requests?)(?: (?:with|about|on|in|concerning) (?:my|our|the|your|this) (?:account|app|product|service|software|tool|system|platform|website))?)?/,
  /(?:this|it)(?:'s| is| has become| has been) (?:really |very |quite |extremely |rather |so |getting |super |a bit )*(?:urgent|important|annoying|frustrating|critical|unacceptable|disappointing)(?: (?:for|to) (?:me|us))?/,
  // who is writing, on what device, what was tried
  /(?:(?:i|we)(?:'ve| have) been|(?:i|we)(?:'m| am|'re| are)) (?:an? )?(?:loyal |happy |long-?time |paying |new |regular |big )*(?:customers?|users?|clients?|subscribers?|members?|fans?)(?: (?:of|with) (?:you|yours|your \w+|the \w+))?(?: (?:since|for) .*)?/,
  /(?:my|our|the) (?:account |user |login |company )?(?:e-?mail|user ?name|user id|account id|account number|order number|customer number|phone number|ticket number|reference)(?: address| number)? (?:is|are|:).*/,
  /(?:(?:i|we)(?:'m| am|'re| are)?|(?:my|our) (?:device|phone|browser|system)) (?:use|using|on|run|running|have|own|is) (?:an? |the )?(?:latest )?(?:iphone|ipad|android|samsung|galaxy|pixel|mac|macbook|windows|linux|chrome|firefox|safari|edge|ios|version)\b.{0,40}/,
  /(?:(?:i|we)(?:'ve| have)? )?(?:already |also |even )*(?:tried|try) (?!.*\b(?:but|and|not|however)\b|.*n't\b)(?:to )?(?:restart|reboot|reinstall|re-install|refresh|clear|log(?:ging)? (?:out|in)|sign(?:ing)? (?:out|in)|updat|delet|uninstall|turn(?:ing)? it off|several times|everything|a different|another|other|different|two|three)\w*\b.*/,
  /(?:(?:i|we)(?:'ve| have)? )?(?:already |also |even )*(?:checked|searched|read|looked (?:at|through|in|into|for)|went through|consulted) (?:the |your |all the |all )?(?:help|docs?|documentation|faqs?|knowledge base|forums?|website|site|manual|guides?)\b.*/,
  // attachments, calls for a fix, when it began, general praise
  /(?:please |pls )?(?:see|find|check) (?:the )?(?:attached|attachments?|enclosed|screenshots?)\b.{0,60}|(?:(?:i|we)(?:'ve| have)? )?(?:attached|attach|enclosed|uploaded|included) (?!.*\b(?:but|and|not)\b|.*n't\b)(?:an?|the|some|my|two) (?:screenshots?|files?|photos?|pictures?|images?|logs?|videos?|recordings?)\b.*|(?:screenshots?|photos?|logs?|video) (?:is |are )?(?:attached|enclosed|below)/,
  /(?:please |pls |kindly |can you |could you )*(?:resolve|sort(?: out)?|fix|escalate|investigate|address|handle|look into|solve) (?:this|it|that|these|my|the)(?: (?:issues?|problems?|matter|bug|requests?|tickets?|out))?(?: (?:for (?:me|us)|asap|soon|quickly|as soon as .*|today|urgently|immediately|please|now))*/,
  /(?:(?:i|we)(?:'m| am| are|'re) )?(?:still )?(?:waiting for|awaiting) (?:your|an?|any|some) (?:quick |prompt |kind )?(?:repl(?:y|ies)|response|answer|feedback|update|news|call)\b.{0,12}/,
  /(?:what|how) (?:should|can|do|must|could|shall) (?:i|we) (?:do|fix|solve|resolve|proceed|handle)(?: (?:this|it|that|about (?:this|it|that)|now|next|here|in this case|the (?:issue|problem)|with this))*/,
  /(?:i|we) (?:do not|don't|dont) (?:know|understand) (?:what to do|what(?:'s| is) (?:wrong|going on|happening)|why|what happened|how to (?:fix|solve|resolve) (?:this|it))(?: (?:here|anymore|now|next))*/,
  /(?:(?:i'm |i am )?not sure|i don't know) (?:if|whether) (?:this|it|i)(?:'s| is|'m| am)? (?:in |at |posting )?(?:a known|the right|the correct|the best) .{0,30}/,
  /(?:first of all,? |firstly,? |overall,? |otherwise,? )?(?:(?:i|we) (?:really |absolutely |just )?(?:love|like|enjoy) (?:using )?(?:the|your|this) (?:app|product|tool|service|software|platform)|(?:great|good|nice|awesome|amazing|excellent) (?:app|product|tool|service|software|platform|job|work))(?: (?:otherwise|so far|a lot|very much|overall|in general|by the way|guys|team))*/,
  /(?:(?:i|we) )?(?:just )?(?:wanted|want|would like|'d like) to (?:flag|report|mention|share|raise|ask(?: about)?|check|let you know(?: about)?) (?:something|an? (?:issue|problem|bug|question)|this|some feedback|a few things)(?: (?:to your attention|here|with you))*/,
  /(?:i|we)(?:'m| am|'re| are|'ve| have)? (?:just |recently |been )*(?:notic(?:ed|ing)|found|discovered|encounter(?:ed|ing)|ran into|running into|experienc(?:ed|ing)|having|facing|seeing) (?:something|an?|some|the following) ?(?:odd|strange|weird|small|big|little|annoying|serious)? ?(?:issues?|problems?|bugs?|errors?|things?)?(?: (?:today|here|recently|with (?:the|your|my) (?:app|product|account|website|service|software|tool)))*/,
  /(?:it|this)(?:'s| is| has been| has)? (?:really |seriously |badly |negatively )?(?:affect|impact|block|hurt|delay)(?:s|ing|ed)? (?:my|our|me|us)\b.{0,40}/,
  /(?:it|this) (?:has )?(?:started|began|(?:been )?happening|happened)(?: (?:yesterday|today|this|last|since|on|a few|two|three|again)\b.{0,30})?/,
  /much appreciated|no rush|take care|all the best|talk soon|speak soon|(?:quick|one|short|small|simple) (?:one|question|thing|note|request)(?: for you| here)?|(?:hello|hi|hey)(?: again| there| all| everyone| team)*/,
]
