import { words } from './words.ts'

/**
 * Common words of languages without a lexicon (Dutch, Italian, Scandinavian languages, Finnish, Polish, Czech, Romanian, Hungarian, Turkish, Indonesian, Filipino,
 * Swahili), without those that the languages with one have too: to tell that a text is in none of those.
 */
export const OTHER_LANGUAGE_WORDS = words(
  `het een niet voor maar ook naar geen jullie heel deze wordt zijn hebben heb bij nog wil graag alsjeblieft bedankt keer elke mijn ik
  che della delle dei degli gli questa questo sono anche ogni perché molto grazie alla nella così più può vorrei potreste nessuno
  och att är jag det inte på som för har ett mycket tack varje när jeg ikke og av hver gang veldig fordi meg til mig jer tak
  ei kun joka kerta mutta olen tämä että hyvin kiitos
  nie się jest jak czy można jestem bardzo dla za tego aplikacja przez tylko już
  není jsem když jako pro každé který velmi děkuji aplikace
  și nu pentru fiecare când care foarte mulțumesc aplicația
  az egy hogy mindig amikor nagyon köszönöm kérem vagyok
  bir bu çok için lütfen değil ama gibi daha teşekkürler uygulama
  yang tidak ini saya untuk dan bisa sangat tolong sudah dengan sendiri aplikasi supaya
  ang mga ng hindi yung ko po lagi siya kasi
  kwa kama hata katika hii`,
)
