/**
 * Whether a provider's word for why an item was closed, or for the state it was closed in, says that it was not done: “Won't Do”, “Duplicate”,
 * “Nicht reproduzierbar”. For providers that let people name these; a word that is not known counts as done. It covers the languages of Jira's own resolutions.
 */
export function isDeclined(name: string | null | undefined): boolean {
  const text = plain(name ?? '')
  return DECLINED.test(text) || DECLINED_CJK.test(name ?? '') || (NEGATED.test(text) && !DONE_FIRST.test(text))
}

/** In lower case, without accents and apostrophes. */
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}|['’ʼ`´]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i')

/** A whole word: `\b` knows no letters outside ASCII. */
const words = (alternatives: string) => new RegExp(`(?<!\\p{L})(?:${alternatives})(?!\\p{L})`, 'u')
const beginnings = (alternatives: string) => new RegExp(`(?<!\\p{L})(?:${alternatives})`, 'u')

/** “Won't Do”, “Not planned”, “Kann nicht reproduziert werden”, “No se hará”, “Ne sera pas fait”, “Не воспроизводится”. */
const NEGATED = words(
  [
    'not|never|non|cannot|cant|wont|wontfix|wontdo|dont|unable|nothing|^no',
    'nicht|kein|keine|keinen|niet|geen|ikke|inte|^ei|^eivat',
    'pas|ningun|^nao|sera nao|nao sera|nu',
    'nie|nebude|nelze|neni|nebudeme|nem|не|ні|нет|невозможно|невоспроизводимо',
    'degil|yapilmayacak|olmayacak|cozulmeyecek|khong',
  ].join('|'),
)

/** “Done, not documented” is done. */
const DONE_FIRST = /^(?:done|fixed|completed?|implemented|released|shipped|deployed|fertig|erledigt|behoben)(?!\p{L})/u

const DECLINED = beginnings(
  [
    'declin|reject|refus|denied|duplic|duplik|dublett|dubbel|dublik|doublon|cancel|annul|abandon|obsolet|invalid|incomplet|withdraw|discard|dropped',
    'supersed|deferred|postponed|removed|cut$|as designed|by design|works as|works for me|out of scope|irreproduc|impossib',
    'abgelehnt|zuruckgewiesen|zuruckgestellt|verworfen|abgebrochen|storniert|unvollstandig|ungultig|hinfallig',
    'rejet|rechazad|descartad|anulad|rifiutat|scartat|rejeitad|recusad|afgewezen|geweigerd|geannuleerd|afvist|avvist|avvisad|avbrut|hylatty|peruttu',
    'odrzucon|anulowan|zamitnut|zrusen|elutasit|отклон|отмен|дублик|скасован|відхилен|reddedildi|iptal|yinelenen|trung lap|bi tu choi|da huy',
  ].join('|'),
)

/** Chinese, Japanese and Korean do not separate words. */
const DECLINED_CJK =
  /重复|重複|取消|拒绝|拒絕|却下|拒否|无法|無法|不予|不会|不會|不做|不修|不需要|无效|無效|無効|しない|せず|できない|不可|不要|キャンセル|중복|거부|거절|취소|않음|불가|없음/u
