const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Names of the months and their abbreviations in English, German, French, Spanish and Portuguese, without accents. */
const months = [
  'jan january januar jann janner jaenner janv janvier ene enero janeiro',
  'feb february februar fev fevr fevrier febrero fevereiro',
  'mar march marz mrz maerz mars marzo marco',
  'apr april avr avril abr abril',
  'may mai mayo maio',
  'jun june juni juin junio junho',
  'jul july juli juil juill juillet julio julho',
  'aug august aout ago agosto',
  'sep sept september septembre septiembre setiembre set setembro',
  'oct october okt oktober octobre octubre out outubro',
  'nov november novembre noviembre novembro',
  'dec december dez dezember decembre dic diciembre dezembro',
].map(words)

const monthOf = new Map(months.flatMap((names, at) => names.map((name) => [name, at + 1] as const)))

const weekdays = new Set(
  words(`mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday
    mo montag di dienstag mi mittwoch do donnerstag fr freitag sa samstag sonnabend so sonntag
    lun lundi mar mardi mer mercredi jeu jeudi ven vendredi sam samedi dim dimanche
    lunes martes mie miercoles jue jueves vie viernes sab sabado dom domingo
    seg segunda ter terca qua quarta qui quinta sex sexta feira`),
)

/** Words between the parts of a date: “2 de noviembre de 2026 a las 17:45”. */
const between = new Set(words('at on of the um am den der a le de del el la las as'))

/** Lower case, without accents and the dot of an abbreviation. */
const plain = (word: string) =>
  word
    .normalize('NFD')
    .replace(/\p{M}|\.$/gu, '')
    .toLowerCase()

/**
 * The parts of a date that names its month, in the order in which they are written: the words may come in any order, but each
 * must be known. Null for other text. “mar. 3 nov.” is a Tuesday: a word that is both counts as the month only where no other does.
 */
export function namedMonth(text: string): { month: number; numbers: [string, string] } | null {
  const numbers: string[] = []
  const found: { month: number; weekday: boolean }[] = []
  for (const word of text.split(/[\s,/-]+/).filter((part) => part !== '' && part !== '.')) {
    const name = plain(word)
    const number = /^(\d{4}|\d{1,2})(?:st|nd|rd|th|er|º)?$/.exec(name)?.[1]
    const month = monthOf.get(name)
    const weekday = weekdays.has(name)
    if (number !== undefined) numbers.push(number)
    else if (month !== undefined) found.push({ month, weekday })
    else if (!weekday && !between.has(name)) return null
  }
  const sure = found.length > 1 ? found.filter(({ weekday }) => !weekday) : found
  const [first, second, ...more] = numbers
  const [only, ...others] = sure
  if (!only || others.length > 0 || first === undefined || second === undefined || more.length > 0) return null
  return { month: only.month, numbers: [first, second] }
}

/** The text without the words that lead from the day to the time, where the time has been cut off behind them. */
export const withoutLead = (text: string): string => text.replace(/(?:[\s,]+(?:at|um|à|às|as|a las|a la))?[\s,]*$/i, '')
