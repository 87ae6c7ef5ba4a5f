import { describe, expect, test } from 'vitest'
import { group } from '../group.ts'
import type { Item } from '../model.ts'

/** Three subjects, each expressed by six people in their own words, and small talk. */
const LANGUAGES = {
  English: {
    subjects: [
      [
        'The CSV export stops after a thousand rows',
        'Exporting to CSV stops at a thousand rows',
        'CSV exports stop after one thousand rows for us',
        'My export as CSV stopped after thousand rows',
        'Why do CSV exports stop after the thousandth row?',
        'csv export stopping after 1000 rows, thousand rows is not enough',
      ],
      [
        'Invoices show the wrong tax number',
        'The tax number on our invoice is wrong',
        'Wrong tax number on every invoice',
        'Invoice has a wrong tax number',
        'Our invoices carry a wrong tax number since Monday',
        'please correct the tax number shown on invoices, it is wrong',
      ],
      [
        'The calendar does not show public holidays',
        'Public holidays are missing in the calendar',
        'Show public holidays in our calendar please',
        'Calendar: no public holiday is shown',
        'We miss the public holidays in the calendar',
        'My calendar shows no public holidays',
      ],
    ],
    chat: ['Thanks a lot, have a nice weekend!', 'Good morning all', 'ok perfect'],
  },
  German: {
    subjects: [
      [
        'Der CSV-Export bricht nach tausend Zeilen ab',
        'CSV-Exporte brechen bei tausend Zeilen ab',
        'Beim Export als CSV bricht es nach tausend Zeilen ab',
        'Unser CSV Export brach nach tausend Zeilen ab',
        'Warum bricht der CSV Export nach der tausendsten Zeile ab?',
        'csv exporte abgebrochen nach tausend zeilen',
      ],
      [
        'Auf den Rechnungen steht die falsche Steuernummer',
        'Die Steuernummer auf unserer Rechnung ist falsch',
        'Falsche Steuernummer auf jeder Rechnung',
        'Rechnung hat eine falsche Steuernummer',
        'Unsere Rechnungen tragen seit Montag eine falsche Steuernummer',
        'bitte die steuernummer auf rechnungen korrigieren, sie ist falsch',
      ],
      [
        'Im Kalender fehlen die Feiertage',
        'Der Kalender zeigt keine Feiertage',
        'Bitte Feiertage im Kalender anzeigen',
        'Kalender ohne Feiertage, die fehlen uns',
        'Uns fehlen im Kalender die gesetzlichen Feiertage',
        'Mein Kalender zeigt keinen Feiertag an',
      ],
    ],
    chat: ['Vielen Dank und schönes Wochenende!', 'Guten Morgen zusammen', 'ok, super'],
  },
  French: {
    subjects: [
      [
        "L'export CSV s'arrête après mille lignes",
        'Les exports CSV s’arrêtent à mille lignes',
        "Quand j'exporte en CSV, ça s'arrête après mille lignes",
        "Notre export CSV s'est arrêté au bout de mille lignes",
        "Pourquoi l'exportation CSV s'arrête-t-elle à la millième ligne ?",
        'export csv arrêté après mille lignes',
      ],
      [
        'Les factures affichent un mauvais numéro de TVA',
        'Le numéro de TVA sur notre facture est mauvais',
        'Mauvais numéro de TVA sur chaque facture',
        'La facture a un mauvais numéro de TVA',
        'Nos factures portent un mauvais numéro de TVA depuis lundi',
        'merci de corriger le numéro de TVA affiché sur les factures, il est mauvais',
      ],
      [
        "Le calendrier n'affiche pas les jours fériés",
        'Les jours fériés manquent dans le calendrier',
        'Affichez les jours fériés dans notre calendrier svp',
        'Calendrier : aucun jour férié affiché',
        'Il nous manque les jours fériés dans le calendrier',
        "Mon calendrier n'affiche aucun jour férié",
      ],
    ],
    chat: ['Merci beaucoup, bonne journée !', 'Bonjour à tous', "ok, c'est parfait"],
  },
  Spanish: {
    subjects: [
      [
        'La exportación CSV se detiene después de mil filas',
        'Las exportaciones CSV se detienen a las mil filas',
        'Al exportar en CSV se detiene después de mil filas',
        'Nuestra exportación CSV se detuvo después de mil filas',
        '¿Por qué la exportación CSV se detiene en la fila mil?',
        'exportacion csv detenida después de mil filas',
      ],
      [
        'Las facturas muestran un número fiscal equivocado',
        'El número fiscal de nuestra factura está equivocado',
        'Número fiscal equivocado en cada factura',
        'La factura tiene un número fiscal equivocado',
        'Nuestras facturas llevan un número fiscal equivocado desde el lunes',
        'por favor corrijan el número fiscal de las facturas, está equivocado',
      ],
      [
        'El calendario no muestra los días festivos',
        'Faltan los días festivos en el calendario',
        'Mostrad los festivos en nuestro calendario por favor',
        'Calendario: ningún día festivo mostrado',
        'Nos faltan los festivos en el calendario',
        'Mi calendario no muestra ningún festivo',
      ],
    ],
    chat: ['¡Muchas gracias y buen fin de semana!', 'Buenos días a todos', 'vale, perfecto'],
  },
  Portuguese: {
    subjects: [
      [
        'A exportação CSV para depois de mil linhas',
        'As exportações CSV param depois de mil linhas',
        'Ao exportar em CSV, para depois de mil linhas',
        'Nossa exportação CSV parou depois de mil linhas',
        'Por que a exportação CSV para na linha mil?',
        'exportacao csv parada depois de mil linhas',
      ],
      [
        'As faturas mostram um número fiscal errado',
        'O número fiscal da nossa fatura está errado',
        'Número fiscal errado em cada fatura',
        'A fatura tem um número fiscal errado',
        'Nossas faturas trazem um número fiscal errado desde segunda',
        'por favor corrijam o número fiscal das faturas, está errado',
      ],
      [
        'O calendário não mostra os feriados',
        'Faltam os feriados no calendário',
        'Mostrem os feriados no nosso calendário por favor',
        'Calendário: nenhum feriado mostrado',
        'Sentimos falta dos feriados no calendário',
        'Meu calendário não mostra nenhum feriado',
      ],
    ],
    chat: ['Muito obrigado e bom fim de semana!', 'Bom dia a todos', 'ok, perfeito'],
  },
}

const said = (texts: readonly string[], from: string): Item[] =>
  texts.map((text, n) => ({ id: `${from}${n}`, text, at: n, author: `${from} ${n}` }))

describe.each(Object.entries(LANGUAGES))('%s', (_, { subjects, chat }) => {
  const items = [...subjects.flatMap((texts, n) => said(texts, `s${n}-`)), ...said(chat, 'chat')]
  const { insights } = group(items)
  const membersOf = (n: number) => insights[n]?.mentions.map(({ itemId }) => itemId.slice(0, 2)) ?? []

  test('each subject is one insight that holds at least five of its six messages and none of another', () => {
    const found = insights.map((_insight, n) => [...new Set(membersOf(n))].join())
    expect(found.toSorted()).toEqual(['s0', 's1', 's2'])
    for (const n of insights.keys()) expect(membersOf(n).length).toBeGreaterThanOrEqual(5)
  })

  test('names are sentences of its own, and small talk is in no insight', () => {
    const texts = subjects.flat().map((text) => text.toLowerCase())
    for (const { issue_name: name } of insights) {
      expect(name.split(' ').length).toBeGreaterThan(2)
      for (const part of name.split(' / ')) {
        expect(texts.some((text) => text.replaceAll('’', "'").includes(part.slice(1).toLowerCase()))).toBe(true)
      }
    }
    expect(JSON.stringify(insights)).not.toContain('chat')
  })
})

test('statements in five languages form one issue per subject', () => {
  const items = Object.entries(LANGUAGES).flatMap(([language, { subjects, chat }]) => [
    ...subjects.flatMap((texts, n) => said(texts, `s${n}-${language}-`)),
    ...said(chat, `chat-${language}-`),
  ])
  const { insights } = group(items)
  const largest = new Map<string, number>()
  for (const { mentions } of insights) {
    const subjects = new Set(mentions.map(({ itemId }) => itemId.split('-')[0] as string))
    expect(subjects.size).toBe(1)
    const [subject = ''] = subjects
    const spoken = new Set(mentions.map(({ itemId }) => itemId.split('-')[1])).size
    largest.set(subject, Math.max(largest.get(subject) ?? 0, spoken))
  }
  expect([...largest.keys()].toSorted()).toEqual(['s0', 's1', 's2'])
  for (const spoken of largest.values()) expect(spoken).toBeGreaterThanOrEqual(4)
})

test('an insight in several languages is named in its most frequent one', () => {
  const items = Object.entries(LANGUAGES).flatMap(([language, { subjects }]) =>
    subjects.flatMap((texts, n) => said(texts, `s${n}-${language}-`)),
  )
  for (const { issue_name: name, mentions } of group(items).insights) {
    const counts = new Map<string, number>()
    for (const { itemId } of mentions) {
      const language = itemId.split('-')[1] as string
      counts.set(language, (counts.get(language) ?? 0) + 1)
    }
    const most = Math.max(...counts.values())
    const named = items.filter(({ text }) => text.toLowerCase().includes(name.toLowerCase()))
    expect(named.some(({ id }) => counts.get(id.split('-')[1] as string) === most)).toBe(true)
  }
})

/** Scripts without spaces, and others that have no stemmer here. */
const SCRIPTS = {
  Japanese: ['CSVの書き出しが千行で止まります', 'CSV書き出しが千行で止まる', '千行でCSVの書き出しが止まってしまう'],
  Chinese: ['导出CSV在一千行后停止', 'CSV导出到一千行就停止了', '为什么导出CSV一千行后会停止'],
  Thai: ['ส่งออกไฟล์หยุดหลังหนึ่งพันแถว', 'การส่งออกไฟล์หยุดที่หนึ่งพันแถว', 'ทำไมส่งออกไฟล์หยุดหลังหนึ่งพันแถว'],
  Russian: [
    'Экспорт останавливается после тысячи строк',
    'Экспорт остановился после тысячи строк',
    'Почему экспорт остановлен после тысячи строк?',
  ],
  Greek: [
    'Η εξαγωγή σταματά μετά από χίλιες γραμμές',
    'Εξαγωγή σταμάτησε μετά από χίλιες γραμμές',
    'Γιατί σταματά η εξαγωγή στις χίλιες γραμμές;',
  ],
  Arabic: ['يتوقف التصدير بعد ألف صف', 'توقف التصدير بعد ألف صف عندنا', 'لماذا يتوقف التصدير بعد ألف صف؟'],
}
const OTHERS = {
  Japanese: 'カレンダーに祝日が表示されません',
  Chinese: '日历不显示公共假期',
  Thai: 'ปฏิทินไม่แสดงวันหยุด',
  Russian: 'Календарь не показывает праздники',
  Greek: 'Το ημερολόγιο δεν δείχνει τις αργίες',
  Arabic: 'التقويم لا يعرض العطل الرسمية',
} satisfies Record<keyof typeof SCRIPTS, string>

test.each(Object.entries(SCRIPTS))(
  '%s: what says the same is one insight, another subject is none of it',
  (script, texts) => {
    const other = OTHERS[script as keyof typeof SCRIPTS]
    const { insights } = group([...said(texts, 's'), ...said([other], 'o')])
    expect(insights.map(({ mentions }) => mentions.map(({ itemId }) => itemId))).toEqual([['s0', 's1', 's2']])
  },
)
