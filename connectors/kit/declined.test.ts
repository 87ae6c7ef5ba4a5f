import { expect, it } from 'vitest'
import { isDeclined } from './declined.ts'

it.each([
  // Names on sites in English: Jira's own, those of workflows, and reasons of Azure DevOps.
  ["Won't Do", 'Won’t do', 'Wont Fix', 'Will Not Fix', 'wontfix', 'Not planned', 'Declined', 'Rejected', 'Duplicate'],
  ['Cannot Reproduce', "Can't reproduce", 'Unable to Reproduce', 'Incomplete', 'Invalid', 'Not a Bug', 'As Designed'],
  ['Obsolete', 'Cancelled', 'CANCELED', 'Out of scope', 'Closed (Won’t Do)', 'Removed', 'Cut', 'Deferred', 'Abandoned'],
  ['Wird nicht erledigt', 'Nicht reproduzierbar', 'Kann nicht reproduziert werden', 'Duplikat', 'Zurückgewiesen'],
  ['Ne sera pas fait', 'Impossible à reproduire', 'Doublon', 'Annulé'],
  ['No se hará', 'No se puede reproducir', 'Duplicado', 'Rechazada'],
  ['Não será feito', 'Não é possível reproduzir', 'Non verrà fatto', 'Impossibile riprodurre'],
  ['Zal niet worden gedaan', 'Dubbel', 'Vil ikke blive udført', 'Kommer inte att göras', 'Ei tehdä'],
  ['Nie do zrobienia', 'Nebude provedeno', 'Nem lesz elvégezve', 'Yapılmayacak', 'Không thực hiện'],
  ['Не будет сделано', 'Дубликат', 'Не воспроизводится', 'Отклонено'],
  ['対応しない', '重複', '再現できない', '不予处理', '无法重现', '중복', '재현 불가'],
])('%s is declined', (...names) => {
  for (const name of names) expect([name, isDeclined(name)]).toEqual([name, true])
})

it.each([
  [null, '', 'Done', 'Fixed', 'Resolved', 'Closed', 'Complete', 'Completed', 'Released', 'Shipped', 'Answered'],
  ['Work finished', 'Acceptance tests pass', 'Moved to state Done', 'Done, not documented', 'Verified', 'Notified'],
  ['Erledigt', 'Fertig', 'Terminé', 'Resuelto', 'Concluído', 'Completato', 'Gereed', 'Utført', 'Klar', 'Valmis'],
  ['Hotovo', 'Gotowe', 'Готово', 'Исправлено', '完成', '完了', '已解决', '완료'],
])('%s is done', (...names) => {
  for (const name of names) expect([name, isDeclined(name)]).toEqual([name, false])
})
