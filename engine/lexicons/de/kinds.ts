import type { KindCues } from '../signs.ts'
import { phrases } from '../words.ts'

/** What shows the kind of a statement, see `kinds/cues.ts`: words as `tokenise` gives them. */
export const KIND_CUES: KindCues = {
  questionWord: phrases(
    `wie, wann, wo, woher, wohin, wer, wem, wen, welche, welcher, welches, welchen, warum, wieso, weshalb, wozu, wofür`,
  ),
  howTo: phrases(
    `wie kann, wie lange, wie viel, wie viele, wie oft, wie richtet, wie bekomme, wie mache, wie funktioniert, wo finde, wo kann, wo ist, was kostet,
     was bedeutet, was passiert, was ist, kann ich, kann man, kann mir jemand, muss ich, darf ich, gibt es, gilt, geht das, funktioniert das,
     ist das, ist es möglich, sind die, weiß jemand, frage zu, frage zur, eine frage, ich frage mich, würde gerne wissen, ab wann, bis wann,
     fährt, gibt es eine möglichkeit, unterschied zwischen, werden die, stimmt es`,
  ),
  status: phrases(`gibt es neuigkeiten, wann kommt, wann wird, wann gibt, stand der`),
  ask: phrases(
    `bitte, können sie, könnten sie, könnt ihr, könntet ihr, kannst du, könntest du, würden sie, würdet ihr, bitte um, wir bitten, ich bitte`,
  ),
  helpCall: phrases(`brauche hilfe, bitte um hilfe, helfen sie mir, bitte helfen, rückruf, rufen sie mich`),
  action: phrases(
    `stornieren, stornieren sie, kündigen, kündige, erstattung, geld zurück, umtauschen, umschreiben, zusenden, schicken sie, schickt mir, abmelden,
     löschen sie`,
  ),
  wish: phrases(
    `wäre schön, wäre toll, wäre super, wäre hilfreich, wäre gut, wäre praktisch, wäre cool, wären schön, wären super, würde mir wünschen,
     würde mich freuen, wünsche, wünschen, wunsch, wünschenswert, hätte gern, hätte gerne, hätten gern, hätten gerne, möchte, möchten, sollte, sollten,
     könnte man, müsste, vorschlag, idee, anregung, fehlt noch, was noch fehlt, schön wenn, toll wenn, super wenn, besser wenn, fände ich`,
  ),
  build: phrases(
    `mehr, weniger, länger, längere, kürzere, größere, größer, schneller, günstiger, hinzufügen, ergänzen, ergänzt, einbauen, baut, erlauben, ermöglichen,
     unterstützung, unterstützung für, option, funktion, möglichkeit, einstellung, dunkelmodus, dunkles design, anbieten, einführen, verbessern, ändern,
     zulassen, schnittstelle, integration, bessere, automatisch`,
  ),
  lack: phrases(
    `keine möglichkeit, es gibt kein, es gibt keine, gibt es nicht, fehlt, fehlen, fehlende, leider kein, leider keine, ohne möglichkeit`,
  ),
  negation: phrases(
    `nicht, kein, keine, keinen, keiner, keinem, nie, niemals, nichts, niemand, ohne, weder, nit, ned, nid`,
  ),
  fault: phrases(
    `fehler, fehlerhaft, fehlermeldung, absturz, abstürze, stürzt, stürzt ab, abgestürzt, hängt, kaputt, defekt, falsch, falsche, falscher, falsches,
     funktioniert nicht, geht nicht, klappt nicht, lädt nicht, startet nicht, öffnet nicht, nicht mehr, langsam, doppelt, verschwunden, verschwindet,
     verloren, verliert, problem, probleme, störung, ausfall, zugausfall, abgebucht, abgelehnt, gesperrt, unlesbar, schneidet, stimmt nicht,
     nicht erreichbar, blockiert, ruckelt, unbrauchbar`,
  ),
  bad: phrases(
    `schlecht, schlechte, schlechter, schlechtes, schlimm, furchtbar, schrecklich, katastrophe, katastrophal, mies, miese, unfreundlich, enttäuscht,
     enttäuschend, enttäuschung, nervig, nervt, ärgerlich, frech, frechheit, unverschämt, teuer, zu teuer, überteuert, laut, hellhörig, dreckig, schmutzig,
     langweilig, langwierig, kompliziert, unübersichtlich, unklar, unnötig, unstrukturiert, mühsam, zu, zu viel, zu viele, zu wenig, zu lange, zu spät,
     viel zu, verspätung, warten, wartezeit, gewartet, werbung, abzocke, unmöglich, schwierig, schwer, trocken, monoton, unfair, leider, schade,
     zeitverschwendung, aufwand, verwirrend, unverständlich, chaotisch, kalt, voll`,
  ),
  change: phrases(
    `seit, seit dem update, seit tagen, seit wochen, immer noch, schon wieder, wieder, ständig, dauernd, jedes mal, plötzlich, trotzdem, früher`,
  ),
  good: phrases(
    `gut, gute, guter, gutes, sehr gut, super, toll, tolle, tolles, toller, klasse, spitze, prima, perfekt, hervorragend, ausgezeichnet, großartig,
     großartige, wunderbar, schön, schöne, liebe, mag, gefällt, freundlich, freundliches, nett, netter, hilfreich, schnell, schnelle, einfach,
     zufrieden, rundum, begeistert, empfehlen, empfehlenswert, weiterzuempfehlen, gerne wieder, lob, lecker, leckeres, bestens, beste, bester, übersichtlich,
     stabil, pünktlich, kompetent, interessant, interessante, interessantes, spannend, spannende, spannendes, fair, faire, verständlich, cool, mega,
     geil, hammer, danke dafür, top, weiter so, sympathisch, praktisch, zuverlässig`,
  ),
  noComplaint: phrases(
    `nichts zu meckern, nichts auszusetzen, keine beschwerden, könnte nicht besser, nicht schlecht, gar nicht schlecht, alles gut, alles bestens, alles super, keine probleme, rundum zufrieden, weiter so,
     nie probleme, nichts zu beanstanden`,
  ),
  couldBetter: phrases(
    `könnte besser, könnten besser, könnte man besser, ausbaufähig, verbesserungswürdig, nicht gut, nicht so gut, nicht so, nicht wirklich, nicht zufrieden, nicht hilfreich, nicht nötig, keine antwort, keine
     rückmeldung, niemand, lässt zu wünschen, hätte besser, nicht empfehlen, nicht nachvollziehbar`,
  ),
  duration: phrases(
    `0 minuten, 0 min, 0 stunden, 0 tage, 0 tagen, 0 wochen, 0 monate, eine stunde, stundenlang, ewig, seit 0, den ganzen tag, mehrfach, mehrmals`,
  ),
  self: phrases(`ich, mir, mich, mein, meine, meinen, meiner, meinem`),
  thanks: phrases(`danke, vielen dank, besten dank, herzlichen dank, lieben dank, danke schön, dankeschön, danke euch`),
  greeting: phrases(`hallo, guten tag, guten morgen, guten abend, moin, servus, liebes team, sehr geehrte, hi`),
  ownSide: phrases(
    `tut uns leid, es tut uns, wir entschuldigen, entschuldigen sie, vielen dank für ihre, danke für den hinweis, danke für ihre, danke für deine,
     schreiben sie uns, schick uns, schicken sie uns, melden sie sich, wenden sie sich, wir helfen, helfen wir, weiterhelfen, wir kümmern uns,
     geben wir weiter, geben das weiter, unser team, unsere kollegen, unsere techniker, wir haben ihre, ihre anfrage, ihr kundenservice, ihre bewertung,
     mit freundlichen grüßen, deine kundennummer, ihre kundennummer, haben sie schon, hast du schon, als duplikat, kann ich sonst noch, gern geschehen,
     schauen wir uns, wir prüfen, in kürze bei ihnen`,
  ),
  contact: phrases(
    `per dm, direktnachricht, privatnachricht, private nachricht, per nachricht, per e mail, kontaktieren sie, kontaktformular`,
  ),
  we: phrases(`wir, uns, unser, unsere, unserem, unseren`),
  nothing: phrases(
    `nichts, keine, keine angabe, keine angaben, weiß nicht, weiss nicht, kein kommentar, siehe oben, s o, fällt mir nichts, nein`,
  ),
  contrast: phrases(`aber, jedoch, allerdings, außer, obwohl, leider, nur, einziger, einziges, dafür`),
  insult: phrases(
    `idioten, saftladen, drecksladen, schrott, müll, finger weg, nie wieder, scheiße, scheiss, dumm, betrüger, verbrecher, schande`,
  ),
  lukewarm: phrases(`naja, na ja, geht so, okay, ok, ganz okay, mittelmäßig, durchschnittlich, mässig, so lala`),
  spam: phrases(`gratis, gewinnspiel, gewinnen, abonniert, folgt mir, gutscheincode, rabattcode, geld verdienen`),
  chatter: phrases(
    `haha, alles klar, dito, moin, bis später, erledigt, hat geklappt, klappt jetzt, test, melde mich, passt, genau`,
  ),
  star: phrases(`stern, sterne, sternen`),
}
