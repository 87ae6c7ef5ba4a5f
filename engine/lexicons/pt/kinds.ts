import type { KindCues } from '../signs.ts'
import { phrases } from '../words.ts'

/** What shows the kind of a statement, see `kinds/cues.ts`: words as `tokenise` gives them. */
export const KIND_CUES: KindCues = {
  questionWord: phrases(`como, quando, onde, quem, qual, quais, quanto, quanta, quantos, porquê`),
  howTo: phrases(
    `como faço, como posso, como usar, como ativar, qual é, qual a, quanto custa, onde fica, onde encontro, alguém sabe, posso, é possível, dá para, dá pra, tem como, tem previsao, tem
     previsão, gostaria de saber, uma dúvida, dúvida sobre, pergunta sobre, vocês abrem, essa versão, quem pode, haverá, serve para, funciona com`,
  ),
  status: phrases(`alguma novidade, quando chega, quando sai, quando sai o, previsão para`),
  ask: phrases(`por favor, pfv, poderia, poderiam, podem, pode me, seria possível, peço, solicito, favor`),
  helpCall: phrases(`preciso de ajuda, me ajudem, ajuda por favor, me liguem`),
  action: phrases(
    `reembolso, devolver, devolução, cancelar o, cancelar a, cancelem, cancelar minha, trocar o, alterar a data, segunda via, quero devolver`,
  ),
  wish: phrases(
    `gostaria, gostava, gostaria de, gostava de, gostaríamos, seria bom, seria ótimo, seria legal, seria útil, quero, queremos, queria, deveria, deveriam, poderia, poderiam, podia, podiam, só
     falta, faltou, falta, sugestão, sugiro, tomara, ideia, precisa, precisava, podem melhorar, poderia ter, deveria ter`,
  ),
  build: phrases(
    `adicionar, adicionem, colocar, coloquem, incluir, permitir, mais, mais opções, mais fases, menos, melhorar, suporte a, suporte para, opção, opção de, modo escuro, função, integração,
     mostrar, um aplicativo, oferecer, exportação, personalizados, volume mais`,
  ),
  lack: phrases(`não tem, não há, falta de, faltam, não existe, sem opção, não permite, não vem, não veio`),
  negation: phrases(`não, nao, nunca, nem, nenhum, nenhuma, nada, ninguém, sem`),
  fault: phrases(
    `erro, erros, falha, falhas, não funciona, nao funciona, não carrega, não abre, não consigo, não conecta, trava, travando, travamento, travar, lento, lenta, cai, caiu, quebrado, quebrada, partida,
     errado, errada, valor errado, perdido, perderam, desapareceu, some, problema, problemas, defeito, deu defeito, queimou, queimar, cobrança indevida, cobrado, duas vezes, sem internet,
     com defeito, rachada, rachado, molhada, não emparelha, bloqueado, atraso, atrasado, não responde`,
  ),
  bad: phrases(
    `ruim, péssimo, pessimo, péssima, pior, horrível, terrível, decepcionado, decepcionada, decepção, vergonha, caro, cara, demora, demorado, demoraram, fraco, fraca, frágil, barulho, sujo,
     difícil, complicado, complicada, pequeno, muito pequena, pouco, anúncios, propaganda, golpe, enganada, enganado, lixo, inútil, chato, não recomendo, nao recomendo, não gostei,
     qualidade baixa, baixa qualidade, deixa a desejar, infelizmente, insatisfeita, insatisfeito, porcaria, não indico`,
  ),
  change: phrases(
    `desde, desde a atualização, desde sexta, ainda, de novo, sempre, toda hora, toda vez, agora, antes, depois, continuam, continua`,
  ),
  good: phrases(
    `bom, boa, muito bom, muito boa, ótimo, ótima, otimo, excelente, perfeito, perfeita, adorei, amei, gostei, gosto, gostei muito, maravilhoso, incrível, lindo, linda, bonito, fácil, rápido, rápida,
     prático, útil, recomendo, indico, parabéns, satisfeito, satisfeita, simpático, simpática, melhor, vale a pena, vale, custo benefício, bem feito, funcionando perfeitamente,
     funciona bem, funciona perfeitamente, atendeu, atende, impecável, show, top, boa qualidade, ótima qualidade, superou, confortável`,
  ),
  noComplaint: phrases(
    `sem problemas, nenhum problema, sem reclamações, nada a reclamar, não tenho queixas, tudo certo, tudo bem, até o momento sem, nada mal, sem defeitos, não tenho do que reclamar`,
  ),
  couldBetter: phrases(
    `poderia ser melhor, podia ser melhor, deixa a desejar, precisa melhorar, podem melhorar, não é bom, não é muito, não gostei, não presta, não vale, não serve, não cabe, não veio, não atende, não responde, ninguém responde, ninguém sabe, não foi uma boa`,
  ),
  duration: phrases(
    `0 minutos, 0 horas, 0 dias, 0 semanas, 0 meses, uma hora, 0 vezes, várias vezes, duas vezes, há dias, há semanas, semanas, meses`,
  ),
  self: phrases(`eu, me, mim, meu, minha, meus, minhas, comigo`),
  thanks: phrases(`obrigado, obrigada, muito obrigado, muito obrigada, valeu, agradeço, grato, grata`),
  greeting: phrases(`olá, oi, bom dia, boa tarde, boa noite, prezados`),
  ownSide: phrases(
    `lamentamos, pedimos desculpa, pedimos desculpas, desculpe, obrigado por avaliar, obrigado por entrar, agradecemos o seu, agradecemos, nosso app, nossa equipe, nossa equipa, envie nos, envie
     para, pode nos enviar, seus dados, seu pedido, o seu pedido, foi encaminhado, departamento responsável, mensagem privada, mensagem direta, já respondemos, estamos à disposição,
     poderia informar, obrigado pelo relato, de nada`,
  ),
  contact: phrases(`por dm, mensagem privada, mensagem direta, por e mail, contacte nos, fale conosco`),
  we: phrases(`nós, nosso, nossa, nossos, temos, estamos`),
  nothing: phrases(`nada, nenhum, nenhuma, não sei, nao sei, nada a declarar, não se aplica, sem comentários`),
  contrast: phrases(
    `mas, porém, porem, contudo, exceto, embora, único problema, unico problema, só que, ponto negativo, apesar, só achei`,
  ),
  insult: phrases(`ladrões, lixo, merda, nunca mais, idiotas, vergonha, não baixem, golpistas, porcaria`),
  lukewarm: phrases(`mais ou menos, razoável, regular, normal, ok, meh`),
  spam: phrases(`grátis, ganhe, sorteio, sigam, inscrevam, código promocional`),
  chatter: phrases(`kkk, kkkk, kkkkk, kkkkkkkkk, rsrs, também, valeu, já consegui, já enviei, teste, ok, tudo bem`),
  star: phrases(`estrela, estrelas`),
}
