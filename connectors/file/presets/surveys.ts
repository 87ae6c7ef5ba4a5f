import { isTextName, nameOf } from '../names.ts'
import type { Preset } from './preset.ts'

const STAMPS = ['timestamp', 'zeitstempel', 'horodateur', 'horodatage', 'marca_temporal', 'carimbo_de_data_hora']

/** Forms and surveys: one column per question. The column with the most words is the text. */
export const surveys: readonly Preset[] = [
  {
    // Results → Responses → CSV: one column per question. The Responses API: `answers.QUESTION`.
    label: 'Typeform',
    has: [
      ['submit_date_utc', 'submitted_at'],
      ['network_id', 'token', 'response_type'],
    ],
    columns: { text: ['answers*'], date: ['submit_date_utc', 'submitted_at'], id: ['#', 'token', 'response_id'] },
    wordiest: true,
  },
  {
    // Analyze results → Export all responses: a row of kinds of answers is below the questions.
    label: 'SurveyMonkey',
    has: [['respondent_id'], ['collector_id'], ['start_date', 'date_created']],
    columns: {
      date: ['start_date', 'date_created'],
      author: ['email_address', 'first_name'],
      id: ['respondent_id'],
    },
    wordiest: true,
  },
  {
    // Responses → Open in Excel. Those who are not signed in are “anonymous”.
    label: 'Microsoft Forms',
    has: [
      ['id'],
      ['start_time', 'startzeit', 'heure_de_début', 'hora_de_inicio', 'hora_de_início'],
      ['completion_time', 'fertigstellungszeit', 'heure_de_fin', 'hora_de_finalización', 'hora_de_conclusão'],
    ],
    columns: {
      date: ['completion_time', 'fertigstellungszeit', 'heure_de_fin', 'hora_de_finalización', 'hora_de_conclusão'],
      author: ['email', 'e_mail', 'name'],
      id: ['id'],
    },
    wordiest: true,
  },
  {
    // Responses → Export: headings are codes, questions or both. Where answers are anonymous, all of them have one date.
    label: 'LimeSurvey',
    has: [
      ['submitdate*', 'date_submitted', 'datum_abgeschickt', 'abgabedatum'],
      ['lastpage*', 'last_page', 'letzte_seite'],
      ['startlanguage*', 'start_language', 'start_sprache', 'startsprache'],
    ],
    columns: {
      date: ['submitdate*', 'date_submitted', 'datum_abgeschickt', 'abgabedatum'],
      id: ['id', 'id_response_id', 'id_antwort_id', 'response_id', 'antwort_id'],
    },
    wordiest: true,
    undated: {
      says: /^1980-01-01\b/,
      why: 'LimeSurvey writes 1980-01-01 as the date of every answer to an anonymous survey',
    },
  },
  {
    // Results → Export: the first three columns are those of the person and of the time.
    label: 'Nextcloud Forms',
    has: [
      ['user_id', 'benutzer_id', 'id_utilisateur', 'id_de_usuario', 'id_do_utilizador', 'id_do_usuário'],
      ['user_display_name', 'benutzername', 'anzeigename', 'nom_d_affichage*', 'nombre*', 'nome*'],
      STAMPS,
    ],
    columns: {
      author: ['user_display_name', 'benutzername', 'anzeigename', 'nom_d_affichage*', 'nombre*', 'nome*'],
      date: STAMPS,
    },
    wordiest: true,
  },
  {
    // Responses → Download, or the sheet: the time comes first, and questions follow.
    label: 'Google Forms',
    has: [STAMPS],
    fits: ([first = '', ...questions]) =>
      STAMPS.includes(nameOf(first)) &&
      questions.length > 0 &&
      !questions.some((name) => isTextName(name)) &&
      questions.some((name) => name.trim().endsWith('?') || /^e_?mail|^username$/.test(nameOf(name))),
    columns: { date: STAMPS, author: ['email_address', 'e_mail_adresse', 'username'] },
    wordiest: true,
  },
]
