import type { KindCues } from '../signs.ts'
import { phrases } from '../words.ts'

/** What shows the kind of a statement, see `kinds/cues.ts`: words as `tokenise` gives them. */
export const KIND_CUES: KindCues = {
  questionWord: phrases(`cómo, cuándo, dónde, quién, quiénes, qué, cuál, cuáles, cuánto, cuánta, cuántos`),
  howTo: phrases(
    `cómo puedo, cómo se, cómo hago, cómo elimino, dónde se, dónde puedo, dónde está, qué documentos, qué significa, qué pasa si, cuánto cuesta, cuánto tarda, hasta qué hora,
     se puede, puedo, es posible, hay que, hay planes, alguien sabe, me podrían decir, quisiera saber, una pregunta, una duda, duda sobre, pregunta sobre, sirve para,
     funciona con, hacen envíos, está incluido, habrá`,
  ),
  status: phrases(`alguna novedad, cuándo llega, cuándo sale, estado de`),
  ask: phrases(
    `por favor, porfa, podrían, podrías, podríais, puede usted, pueden, podéis, me podrían, solicito, ruego`,
  ),
  helpCall: phrases(`necesito ayuda, ayuda por favor, ayúdenme, me ayudan, me llamen, llámenme`),
  action: phrases(
    `reembolso, devolución, devolver, dar de baja, darme de baja, cancelar mi, cancelar, cambiar la dirección, cambiar mi, cambiarme`,
  ),
  wish: phrases(
    `me gustaría, nos gustaría, estaría bien, estaría genial, estaría bueno, sería genial, sería bueno, sería útil, sería ideal, vendría bien, vendría muy bien, ojalá, quisiera,
     quisiéramos, quiero, queremos, debería, deberían, podría, falta, le falta, solo falta, sugerencia, sugiero, propongo, que abran, que pongan, idea`,
  ),
  build: phrases(
    `agregar, agreguen, añadir, añadan, añadid, poned, pongan, poner, permitir, permitan, más, más opciones, más actividades, menos, mejorar, soporte para, opción, opción para, modo oscuro,
     modo horizontal, incluir, incluyan, función, integración, versión para, cambiar el, ofrecer, mejores`,
  ),
  lack: phrases(`no hay, no tiene, falta de, faltan, no existe, sin opción, no permite, no se puede, no soporta`),
  negation: phrases(`no, nunca, jamás, ningún, ninguna, nada, nadie, sin, tampoco, ni`),
  fault: phrases(
    `error, errores, fallo, fallos, falla, fallan, no funciona, no carga, no abre, no me deja, no deja, se cierra, se queda, se cuelga, se traba, lento, lenta, lentísima, bloqueado, roto,
     rota, equivocado, equivocada, mal, incorrecto, perdido, desaparece, desapareció, problema, problemas, cobraron, cobrado, me cobraron, dos veces, sin luz, sin servicio, cancelado,
     averiado, dañado, en blanco, no llega, no llegó, no vino`,
  ),
  bad: phrases(
    `malo, mala, pésimo, pésima, peor, horrible, terrible, fatal, decepcionado, decepcionada, decepción, vergüenza, inaceptable, caro, cara, demasiado, demasiada, ruido, sucio, retraso,
     tarda, tardan, espera, publicidad, anuncios, anuncio, estafa, complicado, difícil, aburrido, inútil, basura, lamentable, desastre, poco, incómodo, frío, qué vergüenza`,
  ),
  change: phrases(
    `desde, desde ayer, desde la última, desde enero, todavía, aún, otra vez, siempre, cada vez, cada dos minutos, ahora, antes, de repente, llevamos, llevo`,
  ),
  good: phrases(
    `bueno, buena, buen, muy bueno, muy buena, muy bien, bien, excelente, genial, increíble, perfecto, perfecta, encanta, me encanta, gusta, me gusta, fantástico, maravilla, maravilloso,
     estupendo, mejor, útil, fácil, rápido, rápida, práctico, recomiendo, recomendable, felicidades, enhorabuena, contento, encantados, satisfecho, amable, amables, majos, gusto,
     repetiremos, volveré, impecable, un diez, todo perfecto, ha encantado, bonito, cómodo, buenísima, buenísimo`,
  ),
  noComplaint: phrases(
    `sin problemas, ningún problema, nada que objetar, sin quejas, no está mal, nada mal, no se puede pedir, todo bien, todo correcto, nunca falla, qué más se puede pedir`,
  ),
  couldBetter: phrases(
    `podría ser mejor, podría mejorar, se puede mejorar, deja mucho que desear, no es bueno, no me gusta, no me gustó, no recomiendo, no sirve, no vale, nadie responde, nadie contesta, nadie me, nada claro, poco claro`,
  ),
  duration: phrases(
    `0 minutos, 0 horas, 0 días, 0 semanas, 0 meses, una hora, dos días, tres días, llevo 0, llevamos 0, 0 veces, dos veces, varias veces, horas`,
  ),
  self: phrases(`yo, me, mi, mis, mí, conmigo`),
  thanks: phrases(`gracias, muchas gracias, mil gracias, se agradece`),
  greeting: phrases(`hola, buenas, buenos días, buenas tardes, buenas noches, estimados, estimado`),
  ownSide: phrases(
    `lamentamos, sentimos, sentimos las molestias, disculpe, disculpa las molestias, gracias por tu comentario, gracias por su, gracias por contactar, gracias por el aporte, nuestro equipo,
     escríbenos, escríbanos, con gusto te, te ayudamos, le ayudamos, lo revisamos, lo revisaremos, hemos recibido, hemos tramitado, hemos enviado, por privado, tu pedido, su pedido, su
     solicitud, mensaje privado, mensaje directo, siguenos, un saludo, estamos trabajando, podrías indicarnos`,
  ),
  contact: phrases(`por dm, mensaje privado, por privado, por mensaje, contáctanos, por correo, mensajes directos`),
  we: phrases(`nosotros, nos, nuestro, nuestra, hemos`),
  nothing: phrases(`nada, ninguno, ninguna, no sé, sin comentarios, no aplica, ningún comentario, todo igual`),
  contrast: phrases(`pero, sin embargo, excepto, salvo, aunque, lástima, único, lo único, solo que`),
  insult: phrases(`ladrones, estafadores, basura, mierda, nunca más, idiotas, sinvergüenzas, vaya tela, asco`),
  lukewarm: phrases(`regular, normal, más o menos, ok, vale, ni fu ni fa`),
  spam: phrases(`gratis, gana, sorteo, sígueme, suscríbete, código promocional`),
  chatter: phrases(`jajaja, jaja, jajajaja, vale, igual aquí, ya está, solucionado, prueba, buenas, hasta luego`),
  star: phrases(`estrella, estrellas`),
}
