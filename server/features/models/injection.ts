/**
 * Patterns of feedback written for a model instead of for people, from attempts that have been seen. A message that matches
 * by accident is merely not shown to the model; nothing else about it changes.
 */
const PATTERNS: readonly RegExp[] = [
  // Orders to ignore earlier instructions, in the languages that the engine supports best.
  /\b(ignore|ignoring|disregard|forget|override|bypass|discard)\b.{0,60}\b(instructions?|prompts?|rules?|guidelines?|above|previous|prior|earlier|everything|all)\b/,
  /\b(ignorier\w*|vergiss|vergessen sie|missachte\w*)\b.{0,60}\b(anweisung\w*|vorgaben?|regeln?|alles|bisherige\w*|obige\w*)\b/,
  /\b(ignore[zr]?|oublie[zr]?)\b.{0,60}\b(instructions?|consignes?|regles?|precedent\w*|tout)\b/,
  /\b(ignora|ignore|ignorad|olvida\w*|esquec\w*|dimentica)\b.{0,60}\b(instru\w*|istruzion\w*|reglas|regras|regole|anterior\w*|precedent\w*|todo|tudo|tutto)\b/,
  /\b(new|updated|real|actual|secret|hidden|your|system|developer|admin\w*) (instructions?|prompts?|directives?|objective)\b|\b(new|real|actual) (task|role|orders?|rules?)\b/,
  /\b(end|start|beginning|close) of (the )?(data|feedback|messages?|input|prompt|instructions?|context|conversation)\b/,
  // Roles, and the marks of chat formats that separate them.
  /<\s*\/?\s*\|?\s*(im_start|im_end|start_header_id|end_header_id|eot_id|endoftext|system|assistant|user|developer|instructions?|data|prompt|tool\w*|function\w*)\b/,
  /<\||\|>|\[\s*\/?\s*inst\s*\]|<<\s*\/?\s*sys\s*>>|<<<|>>>|-{3,}\s*(end|begin|system|data|new)\b|#{2,}\s*(system|assistant|instruction|response|new|end)/,
  /(^|[\n.!?"'`)\]]\s*|\b(?:from|as) )\[?(system|assistant|developer|human|ai)( message| note| override| prompt)?\]?\s*(:|>|=)/,
  /\b(you are|you're|you become|du bist|tu es|eres)\b.{0,50}\b(assistant|model|bot|ai|dan|mode|chatgpt|claude|gpt|llm|unrestricted)\b/,
  /\b(act|behave|roleplay|speak|talk) as (if you|a|an|my|the)\b|\bpretend (to be|you are|you're|that you)\b|\bfrom now on,? you\b/,
  /\[\s*\/?\s*(system|assistant|instructions?|prompt)\s*\]|<!--/,
  /\b(language model|llm|chatgpt|gpt-?\d|ai (model|assistant|system|agent)|dear (ai|model|assistant)|hey (ai|model|assistant)|to the (ai|model|assistant)|note to (ai|model|the))\b/,
  /\b(developer|debug|god|dan|maintenance|admin|sudo|test) mode\b|\bjailbreak|\bprompt injection\b|\bsudo\b/,
  // Orders about the answer.
  /\b(respond|reply|answer|output|print|return|write|say|repeat|echo|emit|generate|produce)\b.{0,20}\b(only|with|exactly|nothing|verbatim|json|the (words?|text|string|following|name|title)|this (text|word|exactly))\b/,
  /\b(name|title|call|label|rename|entitle|nenne|benenne|nomme[zr]?|llama|chame|titul\w*)\b.{0,30}\b(this|it|the|das|dies\w*|den|ce|cela|cet|esto|este|isto)\b.{0,40}\b(insight|issue|group|cluster|topic|title|as|to|problem\w*|thema|gruppe|groupe|sujet|grupo)\b/,
  /\b(set|change|make|use|put|must be|should be|shall be|is to be)\b.{0,30}\b(name|title|summary|titel|titre|resumen)\b.{0,20}\b(to|as|be|is|into|say|read|field)\b|\b(name|title|summary)\b.{0,20}\b(must|should|shall|has to|needs to) (be|say|read)\b/,
  /\b(name|title|label|answer|summary) (for|of) (this|it|all|these|the (insight|issue|group))\b|\b(expected|correct|right|true|winning|real|best) (name|title|label|answer|summary|output)\b/,
  /\b(order|demand|command|translate|want you to|looking for)\b.{0,20}\b(name|title|label)\b|\b(name|title|label|answer)s?\b.{0,20}\b(you are looking for|other than)\b/,
  /\b(message|note|order|request) (from|by) (your|the) (developers?|operators?|admin\w*|owners?|makers?)\b|\b(all|other|whatever) (the )?messages (above|below|are|say)\b/,
  /\b(name|title)\b\s*(:|=>?).{0,120}\bsummary\b\s*(:|=>?)|\bsummary\b\s*(:|=>?).{0,120}\b(name|title)\b\s*(:|=>?)/s,
  /["'`]?\b(name|summary|quotes|title|role|content)\b["'`]?\s*[:=]\s*["'`[{]/,
]

/** Orders to ignore everything, in scripts that `unmasked` would garble. */
const OTHER_SCRIPTS =
  /(игнориру|забудь|не обращай внимания).{0,60}(инструкц|указан|правил|все|всё)|忽略.{0,20}(指示|指令|提示|说明|以上|之前)|(指示|命令|プロンプト|ルール).{0,16}(無視|忘れ)|(지시|명령|프롬프트|규칙).{0,16}(무시|잊)|تجاهل.{0,40}(التعليمات|الأوامر|ما سبق)/u

/** Characters that only a machine sees, and changes of writing direction. Legitimate text needs them only for a few flags. */
const HIDDEN = /[\u202d\u202e\u{e0000}-\u{e007f}]/u

/** Encodings that only a program reads. */
const ENCODED = /(?:\\x[0-9a-f]{2}){6,}|(?:\\u[0-9a-f]{4}){4,}|(?:&#x?[0-9a-f]+;){4,}|(?:%[0-9a-f]{2}){6,}/i
const LONG_RUN = /[A-Za-z0-9+/]{40,}/g

const LOOKALIKES = new Map(
  Object.entries({
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    х: 'x',
    у: 'y',
    і: 'i',
    ј: 'j',
    ѕ: 's',
    һ: 'h',
    ԁ: 'd',
    ո: 'n',
    м: 'm',
    н: 'h',
    т: 't',
    к: 'k',
    в: 'b',
    α: 'a',
    ε: 'e',
    ο: 'o',
    ρ: 'p',
    ι: 'i',
    ν: 'v',
    υ: 'u',
    τ: 't',
    κ: 'k',
    η: 'n',
    ı: 'i',
    ɡ: 'g',
  }),
)
const DIGITS = new Map(Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }))

/**
 * True for text that seems to address a model: orders, roles, fake answers, and the same in disguise (look-alike letters,
 * digits for letters, spaced letters, encodings). It is a filter with gaps: what passes is caught, as far as possible, by the
 * checks of the reply.
 */
export function speaksToModels(text: string): boolean {
  if (ENCODED.test(text) || HIDDEN.test(text) || OTHER_SCRIPTS.test(text.toLowerCase())) return true
  if ((text.match(LONG_RUN) ?? []).some((run) => /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run))) return true
  const plain = unmasked(text)
  return [plain, undigited(plain), joined(plain)].some((form) => PATTERNS.some((pattern) => pattern.test(form)))
}

/** Lower case, without accents, with look-alike letters replaced by Latin ones. */
function unmasked(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return Array.from(bare)
    .map((letter) => LOOKALIKES.get(letter) ?? letter)
    .join('')
}

function undigited(text: string): string {
  return text.replace(/[a-z]*[013457@$][a-z013457@$]*/g, (word) =>
    /[a-z]/.test(word)
      ? Array.from(word)
          .map((letter) => DIGITS.get(letter) ?? letter)
          .join('')
      : word,
  )
}

/** "i g n o r e  a l l" and "i-g-n-o-r-e" as words. */
function joined(text: string): string {
  return text.replace(/\b[a-z]([ ._*-])[a-z](?:\1[a-z])+\b/g, (run) => run.replace(/[ ._*-]/g, ''))
}
