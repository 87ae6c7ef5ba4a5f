import { hostileText } from '@groundswell/fixtures/engine/hostile.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classifyKind } from './classify.ts'
import { KINDS, type Kind } from './kind.ts'
import { teach } from './teaching.ts'

/** None of these is among the training examples. */
const CLEAR: Readonly<Record<Kind, readonly string[]>> = {
  problem: [
    'The app crashes when I open the settings page',
    'My invoice is wrong again, you charged me twice',
    'Upload fails with an error for files over 10 MB',
    'Love the idea, but it keeps logging me out',
    'Die App stürzt beim Speichern ständig ab',
    'Mein Paket ist seit zwei Wochen verschwunden',
    "L'application ne fonctionne plus depuis la mise à jour",
    'Impossible de payer, message d’erreur à chaque fois',
    'La página no carga y me cobraron dos veces',
    'O aplicativo trava sempre que abro a câmera',
  ],
  request: [
    'Please add an export to Excel',
    'It would be great if we could sort the list by date',
    'Can you add dark mode?',
    'Feature request: keyboard shortcuts for the editor',
    'Great app, but please make a version for tablets',
    'Bitte einen Dunkelmodus für die Webseite ergänzen',
    'Ce serait bien de pouvoir trier la liste par date',
    'Me gustaría poder cambiar el color, por favor añadan la opción',
    'Seria bom ter mais opções de filtro, adicionem por favor',
  ],
  question: [
    'How do I change my password?',
    'Where can I find the invoice for March?',
    'Does the basic plan include phone support?',
    'What time do you open on Sundays?',
    'Wie kann ich mein Konto löschen?',
    'Comment puis-je changer mon adresse ?',
    '¿Cómo puedo cambiar mi contraseña?',
    'Como posso mudar o meu endereço?',
  ],
  praise: [
    'Best app ever, I love it!',
    'Excellent service and very friendly staff',
    'Works perfectly, highly recommended',
    '5 stars',
    'Super App, sehr empfehlenswert!',
    'Très bonne application, je recommande',
    'Excelente servicio, me encanta',
    'Muito bom, recomendo a todos',
  ],
  'small talk': [
    'thx a lot!',
    'Thank you, have a nice day',
    'sdfghjkl sdfghj',
    'No further comments',
    "We're sorry to hear that. Please send us a DM with your account number so we can help. ^JT",
    '@maria_87 Thanks for reaching out! Could you let us know which version you are using? -Tom',
    'Danke, schönen Tag noch',
    'Merci, bonne journée',
    'Muchas gracias',
    'Obrigado!',
  ],
}

const OTHER_LANGUAGES = [
  'アプリが起動しません',
  'Приложение не открывается после обновления',
  'التطبيق لا يعمل منذ التحديث',
  'แอปนี้ไม่ทำงานเลย',
  '登录失败，请帮忙',
  'Η εφαρμογή δεν ανοίγει πια',
  'Aplikacja nie działa od wczoraj i nie mogę się zalogować',
  'Uygulama açılmıyor, lütfen bu hatayı düzeltin',
  'De app werkt niet meer en ik krijg geen antwoord van jullie',
  'Appen fungerar inte och jag kan inte logga in',
  'Non riesco ad accedere e nessuno mi risponde, che servizio è questo',
]

describe('without the encoder', () => {
  test.each(KINDS.flatMap((kind) => CLEAR[kind].map((text) => [kind, text] as const)))('%s: %s', (kind, text) => {
    expect(classifyKind({ text }).kind).toBe(kind)
  })
})

test.each(OTHER_LANGUAGES)('has no kind in an unknown language, and is never taken for small talk: %s', (text) => {
  expect(classifyKind({ text })).toMatchObject({ kind: null, by: 'language', confidence: 0.2 })
  expect(classifyKind({ text, vector: new Float32Array(384).fill(0.05) }).kind).toBeNull()
})

test('keys hit at random are small talk, not an unknown language', () => {
  for (const text of ['asdf jklj asdf jkl', 'sdfkjh skdjfh skdjfhsd kjsdhf']) {
    expect(classifyKind({ text })).toMatchObject({ kind: 'small talk', by: 'model' })
  }
})

test('what the company writes is small talk, whatever it says', () => {
  const text = 'The export fails for large reports'
  expect(classifyKind({ text, role: 'customer' }).kind).toBe('problem')
  expect(classifyKind({ text, role: 'company' })).toMatchObject({ kind: 'small talk', confidence: 1, by: 'role' })
})

const hostile = fc.array(fc.nat(999), { minLength: 4, maxLength: 60, size: 'max' }).map(hostileText)
const vectors = fc.oneof(
  fc.constant(undefined),
  fc.constant([]),
  fc.constant(new Float32Array(384)),
  fc.constant(new Int8Array(384).fill(7)),
  fc.constant(new Float32Array(384).fill(Number.NaN)),
  fc.constant(new Float32Array(384).fill(3e38)),
  fc.float32Array({ minLength: 384, maxLength: 384, noNaN: true, min: -1, max: 1 }),
)

test('any text and any vector give the same decision every time, with probabilities that fit it', () => {
  const teaching = teach([{ text: 'the export fails again', kind: 'praise' }])
  fc.assert(
    fc.property(hostile, vectors, (text, vector) => {
      const decision = classifyKind({ text, vector }, teaching)
      expect(classifyKind({ text, vector }, teaching)).toEqual(decision)
      const values = KINDS.map((kind) => decision.probabilities[kind])
      expect(values.every((value) => value >= 0 && value <= 1)).toBe(true)
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1)
      expect(decision.confidence).toBe(Math.max(...values))
      const own = decision.kind === null ? 1 / KINDS.length : decision.probabilities[decision.kind]
      expect(own).toBe(decision.confidence)
    }),
    { numRuns: 60, endOnFailure: true },
  )
})

test('a vector without a direction leaves the decision to the cues', () => {
  const said = classifyKind({ text: 'How do I change my password?', vector: new Float32Array(384) })
  expect(said).toMatchObject({ kind: 'question', by: 'model' })
})
