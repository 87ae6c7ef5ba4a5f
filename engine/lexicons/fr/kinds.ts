import type { KindCues } from '../signs.ts'
import { phrases } from '../words.ts'

/** What shows the kind of a statement, see `kinds/cues.ts`: words as `tokenise` gives them. */
export const KIND_CUES: KindCues = {
  questionWord: phrases(`comment, quand, où, qui, quel, quelle, quels, quelles, pourquoi, combien, lequel, laquelle`),
  howTo: phrases(
    `comment faire, comment changer, comment ajouter, comment configurer, est ce que, est ce compatible, quelle est, quels sont, où trouver, où sont, où est, peut on,
     puis je, faut il, y a t il, quelquun sait, savoir si, aimerais savoir, une question, question sur, à quoi sert, combien de temps, ça marche avec, est il,
     sont elles, sont ils, une idée, est ce normal`,
  ),
  status: phrases(`des nouvelles, à quand, quand aura, quand sera, où en est`),
  ask: phrases(
    `svp, stp, sil vous plaît, sil te plaît, merci de, pouvez vous, pourriez vous, pourrais tu, peux tu, veuillez, merci d`,
  ),
  helpCall: phrases(`besoin daide, besoin aide, aidez moi, avoir de aide, rappelez moi`),
  action: phrases(
    `rembourser, remboursement, annuler, résilier, échanger, envoyer un duplicata, duplicata, renvoyer, supprimer mon, changer mon`,
  ),
  wish: phrases(
    `ce serait bien, serait bien, serait top, serait super, serait génial, serait un plus, serait utile, serait pratique, aimerais, aimerions, souhaiterais,
     souhaiterions, voudrais, voudrions, il faudrait, faudrait, devrait, devraient, devriez, pourrait, il manque, manque juste, manque plus que, seule chose
     qui, dommage que, en espérant, espérant, attends avec impatience, suggestion, idée, jespère, espère`,
  ),
  build: phrases(
    `ajouter, ajoutez, rajoutez, rajouter, permettre, permettez, possibilité, possibilité de, option, mode sombre, mode hors ligne, améliorer, améliorez, plus de, plus grand,
     plus souples, moins de, proposer, prise en charge, intégrer, fonction, fonctionnalité, mettre une, mettre en, changer, remettre, davantage`,
  ),
  lack: phrases(
    `il ny a pas, ny a pas, y a pas, pas de, manque, pas possible de, ne permet pas, aucune possibilité, aucun moyen, absence de, sans possibilité`,
  ),
  negation: phrases(`pas, ne, non, jamais, aucun, aucune, rien, plus, personne, sans, ni`),
  fault: phrases(
    `bug, bugs, bugue, bugué, plante, plantage, erreur, erreurs, bloqué, bloquée, ne fonctionne pas, ne fonctionne plus, fonctionne pas, fonctionne plus, fonctionne mal,
     marche pas, marche plus, marche très mal, impossible, impossible de, lent, lente, lenteur, ferme, se ferme, perdu, perdus, disparu, faux, fausse,
     problème, problèmes, panne, prélevée, prélevé, débité, colis perdu, cassé, endommagé, arrive pas, ouvre pas, charge pas, reçu, mal encodés,
     ne tient pas compte, désinstallé, désinstaller, réinstaller, mise à jour`,
  ),
  bad: phrases(
    `mauvais, mauvaise, pire, nul, nulle, horrible, terrible, décevant, déçu, déçue, déception, inadmissible, inacceptable, scandaleux, honteux, honte, arnaque, cher,
     trop cher, prix, trop, beaucoup trop, attente, retard, retards, en retard, froid, froids, sale, bruit, bruyant, désagréable, impoli, compliqué, galère, pénible,
     ennuyeux, inutile, ridicule, pitoyable, pubs, publicité, dommage, malheureusement, difficile, long, longue, limité, cata, catastrophe, lamentable, bof`,
  ),
  change: phrases(
    `depuis, depuis la mise, depuis hier, depuis la dernière, toujours pas, encore, à chaque, à chaque fois, maintenant, avant, de nouveau, tout le temps, encore une fois`,
  ),
  good: phrases(
    `bon, bonne, bien, très bien, très bon, très bonne, super, excellent, excellente, excellents, parfait, parfaite, parfaitement, génial, géniale, top, au top, adore, aime,
     aime beaucoup, jadore, agréable, sympa, sympathique, pratique, utile, facile, simple, rapide, efficace, fiable, accueillant, souriant, délicieux, délicieuse,
     magnifique, superbe, merveilleux, ravi, ravis, ravie, satisfait, satisfaite, recommande, recommander, conseille, bravo, félicitations, rien à redire, rien à dire,
     chapeau, nickel, impeccable, chaleureux, incroyable, indispensable, réactif, je reviendrai, reviendrons, belle, beau, meilleur, meilleure, copieux, régal`,
  ),
  noComplaint: phrases(
    `rien à redire, rien à dire, pas de problème, aucun problème, aucun souci, pas mal, on ne peut mieux, ne changez rien, sans problème, jamais déçu, jamais déçus, sans faute`,
  ),
  couldBetter: phrases(
    `pourrait être mieux, peut mieux faire, à améliorer, à revoir, pas terrible, pas top, pas bon, pas bien, pas à la hauteur, pas pratique, pas facile, pas précis, pas clair, pas satisfait, pas normal, aucune réponse, aucune annonce, personne ne, laisse à désirer`,
  ),
  duration: phrases(
    `0 minutes, 0 min, 0 mn, 0 heures, 0 h, 0 jours, 0 semaines, 0 mois, une heure, des heures, 0 fois, plusieurs fois, toute la journée, longtemps`,
  ),
  self: phrases(`je, j, moi, me, mon, ma, mes`),
  thanks: phrases(`merci, merci beaucoup, un grand merci, mille mercis, merci à`),
  greeting: phrases(`bonjour, bonsoir, salut, coucou, madame, monsieur`),
  ownSide: phrases(
    `nous sommes désolés, désolés pour, nous nous excusons, toutes nos excuses, merci pour votre retour, merci pour votre avis, merci pour le signalement, nos équipes,
     notre équipe, nous avons bien reçu, revenons vers vous, nous reviendrons vers, pouvez vous nous, nous envoyer, en message privé, votre numéro, votre dossier, votre demande,
     service concerné, a été transmis, je vous remercie, vous remercie pour, nous restons à, cordialement, on est ravis, contactez nous, nhésitez pas à nous`,
  ),
  contact: phrases(`message privé, mp, en privé, par mail, contactez, écrivez nous, par email`),
  we: phrases(`nous, notre, nos`),
  nothing: phrases(
    `rien, aucun, aucune, aucune idée, sans avis, ras, néant, sais pas, je ne sais pas, voir plus haut, pas de commentaire`,
  ),
  contrast: phrases(
    `mais, cependant, toutefois, sauf, hormis, par contre, seul bémol, bémol, petit bémol, malgré, dommage, en revanche, pourtant`,
  ),
  insult: phrases(`voleurs, escrocs, bande de, honte à, connards, merde, plus jamais, à fuir, fuyez, débiles`),
  lukewarm: phrases(`bof, moyen, moyenne, ça va, correct, sans plus, mouais, ok`),
  spam: phrases(`gratuit, gagnez, concours, abonnez vous, code promo, suivez moi`),
  chatter: phrases(`accord, pareil, idem, pareil ici, à plus, test, bonne journée, bonne chance, mdr, ok merci`),
  star: phrases(`étoile, étoiles`),
}
