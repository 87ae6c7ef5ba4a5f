import type { Language } from './language.ts'

/**
 * Words that say nothing about the subject of a sentence. They are weighted down in long statements, but not dropped,
 * because short questions differ by how they ask.
 */
const ENGLISH_AND_GERMAN = new Set(
  `i me my we our us you your he she it its they them their this that these those a an the and or but if then so because as of at by for
  with about into to from in on off out up down over again is am are was were be been being have has had having do does did doing done can
  could will would shall should may might must not no only own same too very just now im ive id ill youre weve theyre whats thats dont cant doesnt didnt
  isnt wont wasnt there here what which who when where why how all any both each more most other some such than please tell need want
  like get got let know make also one since still every hi hello thanks thank hey 0 today tomorrow yesterday week day morning month time
  year always never back after before anyone everyone else team customer customers people lot really much many thing way two three first
  last next new use using used try trying tried see think say says said go goes going come look looks take happen happens work works working
  der die das ein eine einen einem einer und oder aber wenn dann so weil als von an bei für mit über in im ins auf aus zu zum zur ist sind
  war waren bin sein haben hat habe hatte kann können könnte wird werden würde soll muss darf nicht kein keine nur auch sehr schon noch mal es
  ich du er sie wir ihr mich mir uns euch mein meine unser unsere dein was wie wo wer warum wann welche alle jede mehr andere bitte danke hallo jetzt hier
  da seit bis immer wieder gerne brauche möchte heute morgen gestern woche tag monat zeit jahr dass sich den dem des nach vor`.split(
    /\s+/,
  ),
)

const OTHER_LANGUAGES: Partial<Record<Language, Set<string>>> = {
  fr: new Set(
    `je j me m moi mon ma mes tu te toi ton ta tes il elle on nous notre nos vous votre vos ils elles leur leurs se s ce c cet cette ces ça cela ceci
    le la l les un une des du de d et ou mais si donc car comme que qu qui quoi dont où quand comment pourquoi quel quelle quels quelles à au
    aux en y dans sur sous avec sans pour par vers chez entre depuis pendant avant après ne n pas plus moins très trop aussi encore déjà
    toujours jamais tout toute tous toutes chaque même autre autres est suis es sommes êtes sont était étaient être été ai as avons avez
    ont avait avoir fait faire font faut peut peux pouvez pouvons peuvent pouvoir pourrait pourriez veux veut voulons voudrais voudrait doit
    doivent devrait va vais vont aller bonjour bonsoir salut merci svp plaît sil maintenant ici là aujourdhui hier demain jour jours semaine mois
    année fois bien mal non oui rien quelque chose besoin aimerais aimerions quune quil quelle`.split(/\s+/),
  ),
  es: new Set(
    `yo me mi mis mí tú te ti tu tus él ella usted ustedes nosotros nos nuestro nuestra nuestros nuestras ellos ellas se su sus lo la los las le les
    el un una unos unas de del al a y e o u pero si sí no ni que qué quien quién cual cuál cuando cuándo como cómo donde dónde porque por
    para con sin sobre entre desde hasta en muy más menos también tampoco ya aún todavía siempre nunca todo toda todos todas cada mismo
    misma otro otra otros otras este esta esto estos estas ese esa eso esos esas es soy eres somos son era eran fue ser sido está estoy
    están estamos estar estaba he has ha hemos han había haber hay hace hacer hago puede puedo pueden podemos poder podría podrían quiero
    quiere queremos quisiera debe deben debería va voy van vamos ir hola gracias favor buenos buenas ahora aquí allí hoy ayer mañana día días
    semana mes año vez veces bien mal nada algo necesito necesitamos gustaría tengo tiene tienen tenemos`.split(/\s+/),
  ),
  pt: new Set(
    `eu me mim meu minha meus minhas tu te ti teu tua você vocês ele ela eles elas nós nos nosso nossa nossos nossas se seu sua seus suas o a os as
    lhe um uma uns umas de do da dos das em no na nos nas ao aos à às e ou mas se sim não nem que quem qual quando como onde porque por pelo
    pela para com sem sobre entre desde até muito mais menos também já ainda sempre nunca tudo todo toda todos todas cada mesmo mesma outro
    outra outros outras este esta isto estes estas esse essa isso é sou és somos são era eram foi ser sido está estou estão estamos estar
    estava tenho tem têm temos ter tinha há faz fazer faço pode posso podem podemos poder poderia quero quer queremos queria gostaria deve
    devem deveria vai vou vão vamos ir olá oi obrigado obrigada favor bom boa agora aqui ali hoje ontem amanhã dia dias semana mês ano vez
    vezes bem mal nada algo preciso precisamos`.split(/\s+/),
  ),
}

/** Whether a lower-case word is a stop word of the language. English and German share one list. */
export function isStopword(token: string, language: Language = 'en'): boolean {
  return (OTHER_LANGUAGES[language] ?? ENGLISH_AND_GERMAN).has(token)
}
