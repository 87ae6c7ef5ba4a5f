import { describe, expect, it } from 'vitest'
import { QUOTE_MARK, splitMail } from './mail-parts.ts'

const split = (...lines: string[]) => splitMail(lines.join('\n'))

describe('an attribution line', () => {
  it.each([
    'On Mon, Mar 2, 2026 at 10:00 AM Anna <anna@acme.test> wrote:',
    'Am Mo., 2. März 2026 um 10:00 Uhr schrieb Anna <anna@acme.test>:',
    'Am 02.03.2026 um 10:00 schrieb Anna:',
    'El lun, 2 mar 2026 a las 10:00, Anna (<anna@acme.test>) escribió:',
    'Le lun. 2 mars 2026 à 10:00, Anna <anna@acme.test> a écrit :',
    'Em seg., 2 de mar. de 2026 às 10:00, Anna <anna@acme.test> escreveu:',
  ])('ends the text: %s', (line) => {
    expect(split('Reply', '', line, '', '> Earlier', '> more')).toEqual({
      text: 'Reply',
      quoted: `${line}\n\n> Earlier\n> more`,
      signature: '',
    })
    expect(split('Reply', line, 'Earlier').quoted).toBe(`${line}\nEarlier`)
  })

  it('may be wrapped', () => {
    const lines = ['On Mon, Mar 2, 2026 at 10:00 AM Anna', '<anna@acme.test> wrote:']
    expect(split('Reply', ...lines, '> Earlier')).toMatchObject({
      text: 'Reply',
      quoted: [...lines, '> Earlier'].join('\n'),
    })
  })

  it('keeps what is written below the quoted lines', () => {
    const line = 'On 2 Mar 2026, Anna wrote:'
    expect(split(line, '> Does it work?', '>> Earlier', 'No.').text).toBe('No.')
    expect(split(line, QUOTE_MARK, 'No.').text).toBe('No.')
  })

  it.each([
    'On Monday my colleague wrote:',
    'On 2 March the export wrote: nothing',
    'I read what you wrote on 2 March:',
    `On 2 March ${'x'.repeat(400)} wrote:`,
    'Am Montag schrieb ich:',
    'On 3 March your agent Tom wrote:',
    'Am 12.3. schrieb mir Ihr Support:',
  ])('is not %s', (line) => {
    expect(split('a', line, 'b')).toEqual({ text: `a\n${line}\nb`, quoted: '', signature: '' })
  })
})

describe('an original message', () => {
  it.each([
    '-----Original Message-----',
    '----- Original message -----',
    '-----Ursprüngliche Nachricht-----',
    '-----Mensaje original-----',
    "-----Message d'origine-----",
    '-----Mensagem original-----',
  ])('begins with %s', (line) => {
    expect(split('Reply', line, 'Earlier')).toEqual({ text: 'Reply', quoted: `${line}\nEarlier`, signature: '' })
  })

  it.each([
    ['From: Anna <a@acme.test>', 'Sent: Monday, March 2, 2026', 'To: Support', 'Subject: Export'],
    ['Von: Anna', 'Gesendet: Montag, 2. März 2026', 'An: Support', 'Betreff: Export'],
    ['De: Anna', 'Enviado el: lunes, 2 de marzo de 2026', 'Para: Soporte', 'Asunto: Exportar'],
    ['De : Anna', 'Envoyé : lundi 2 mars 2026', 'À : Support', 'Objet : Export'],
    ['De: Anna', 'Enviada em: segunda-feira, 2 de março de 2026', 'Para: Suporte', 'Assunto: Exportar'],
    ['*From:* Anna', '*Date:* Monday', '*To:* Support', 'Subject: x'],
  ])('begins with its header: %s', (...header) => {
    const { text, quoted } = split('Reply', '________________________________', ...header, '', 'Earlier')
    expect(text).toBe('Reply')
    expect(quoted).toBe([...header, '', 'Earlier'].join('\n'))
  })

  it.each([
    [['From: Zürich', 'To: Bern', 'is missing in the list']],
    [['From: a colleague, I heard that', 'it is slow.']],
    [['Date: 2 March', 'From: Anna']],
  ])('does not begin with %j', (lines) => {
    expect(split(...lines)).toEqual({ text: lines.join('\n'), quoted: '', signature: '' })
  })
})

describe('a signature', () => {
  it('follows two dashes', () => {
    expect(split('Text', '--', 'Anna', 'Acme')).toEqual({ text: 'Text', quoted: '', signature: 'Anna\nAcme' })
    expect(split('Text', '-- ', 'Anna', '', 'On 2 Mar 2026, Anna wrote:', '> x').signature).toBe('Anna')
  })

  it('is short: what follows a line of dashes in a long text stays', () => {
    const rest = Array.from({ length: 13 }, (_, index) => `line ${index}`)
    expect(split('Text', '--', ...rest).text).toContain('line 12')
    expect(split('Text', '--', 'x'.repeat(1001)).signature).toBe('')
    expect(split('Text', '---', 'Anna').signature).toBe('')
  })
})

it('adds what the markup identified, and leaves no mark', () => {
  expect(splitMail(`A\n${QUOTE_MARK}\nB\n\n\n\nC`, 'Earlier', 'Anna')).toEqual({
    text: 'A\n\nB\n\nC',
    quoted: 'Earlier',
    signature: 'Anna',
  })
  expect(splitMail('')).toEqual({ text: '', quoted: '', signature: '' })
})
