import { isUnknownLanguage } from '@groundswell/engine/kinds/unknown-language.ts'
import { analyse } from '@groundswell/engine/text/features.ts'
import { languageHints, stem } from '@groundswell/engine/text/language.ts'
import { isStopword } from '@groundswell/engine/text/stopwords.ts'
import { knowsStem } from '@groundswell/engine/text/word-vectors.ts'
import { ownExamples, realExamples } from './kinds-examples.ts'

const foreign = `De app crasht elke keer als ik een foto wil delen met mijn vrienden
Kunnen jullie alsjeblieft een donkere modus toevoegen?
Ik ben heel tevreden over de snelle levering, bedankt
Het laden duurt veel te lang en daarna gebeurt er niets
L'applicazione si blocca ogni volta che provo ad aprire la fotocamera
Potreste aggiungere la modalità scura per favore?
Sono molto soddisfatto del servizio, consegna velocissima
Come posso cambiare la lingua dell'applicazione?
Aplikacja zawiesza się za każdym razem gdy otwieram aparat
Czy można dodać tryb ciemny? Byłoby super
Jestem bardzo zadowolony z obsługi, polecam wszystkim
Uygulama sürekli kapanıyor lütfen bunu düzeltin
Karanlık mod ekleyebilir misiniz lütfen
Ứng dụng này rất hay nhưng hay bị lỗi khi mở
App kraschar varje gång jag försöker öppna kameran
Kan ni lägga till mörkt läge tack så mycket
Sovellus kaatuu joka kerta kun avaan kameran
Appen krasjer hver gang jeg prøver å åpne kameraet
Aplikasi ini sering keluar sendiri setelah diperbarui
Tolong tambahkan mode gelap supaya mata tidak sakit
Az alkalmazás mindig összeomlik amikor megnyitom a kamerát
Aplikace padá pokaždé když otevřu fotoaparát
inaniwezesha kucheza muziki hata kama sipo kwenye app hivyo naweza
Aplicația se închide de fiecare dată când deschid camera
Maganda yung app pero lagi siyang nagka-crash sa phone ko
Bôi nhọ lạnh tụ của chúng tôi Vietnamese
Dám lấy chủ tịch Hồ Chí Minh làm trò đùa
QUANDO VI DECIDETE A TOGLIERE QUESTI MODELLI`.split('\n')

for (const f of foreign) if (!isUnknownLanguage(analyse(f))) console.log('missed', analyse(f).language, f)
const tr = [...ownExamples(), ...realExamples('/work/team/data')].filter((e) => e.part === 'training')
const bad = tr.filter((e) => isUnknownLanguage(analyse(e.text)))
console.log(
  bad.length,
  tr.length,
  bad.map((b) => b.text.slice(0, 90)),
)
