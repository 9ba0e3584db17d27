type Words = {
  number: string;
  expiry: string;
  expiryHint: string;
  cvc: string;
  country: string;
  postalCode: string;
  zip: string;
  frame: string;
  newCard: string;
  remove: string;
  save: string;
  mandate: string;
  /** Messages by validation or decline code. A specific decline code takes precedence over the general one. */
  errors: Record<string, string>;
};

/** Texts of the card's fields, in the simulated subset of Stripe's languages. */
export const WORDS: Record<"en" | "es" | "pt", Words> = {
  en: {
    number: "Card number",
    expiry: "Expiration date",
    expiryHint: "MM / YY",
    cvc: "Security code",
    country: "Country",
    postalCode: "Postal code",
    zip: "ZIP code",
    frame: "Secure payment input frame",
    newCard: "New card",
    remove: "Remove",
    save: "Save payment details for future purchases",
    mandate:
      "By providing your card information, you allow the shop to charge your card for future payments in accordance with their terms.",
    errors: {
      incomplete_number: "Your card number is incomplete.",
      invalid_number: "Your card number is invalid.",
      incomplete_expiry: "Your card's expiration date is incomplete.",
      invalid_expiry_month: "Your card's expiration date is invalid.",
      invalid_expiry_month_past: "Your card's expiration date is in the past.",
      invalid_expiry_year_past: "Your card's expiration year is in the past.",
      invalid_expiry_year: "Your card's expiration year is invalid.",
      incomplete_cvc: "Your card's security code is incomplete.",
      incomplete_zip: "Your ZIP code is incomplete.",
      card_declined: "Your card was declined.",
      insufficient_funds: "Your card has insufficient funds.",
      expired_card: "Your card has expired.",
      incorrect_cvc: "Your card's security code is incorrect.",
      incorrect_number: "Your card number is incorrect.",
      processing_error: "An error occurred while processing your card. Try again in a little bit.",
      payment_intent_authentication_failure:
        "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
      api_connection_error:
        "We are experiencing issues connecting to our payments provider. Please try again.",
    },
  },
  es: {
    number: "Número de tarjeta",
    expiry: "Fecha de caducidad",
    expiryHint: "MM / AA",
    cvc: "Código de seguridad",
    country: "País",
    postalCode: "Código postal",
    zip: "Código postal",
    frame: "Marco de entrada de pago seguro",
    newCard: "Tarjeta nueva",
    remove: "Eliminar",
    save: "Guardar los datos de pago para futuras compras",
    mandate:
      "Al proporcionar los datos de tu tarjeta, permites que la tienda haga cargos en ella por pagos futuros según sus condiciones.",
    errors: {
      incomplete_number: "El número de tu tarjeta está incompleto.",
      invalid_number: "El número de tu tarjeta no es válido.",
      incomplete_expiry: "La fecha de caducidad de tu tarjeta está incompleta.",
      invalid_expiry_month: "La fecha de caducidad de tu tarjeta no es válida.",
      invalid_expiry_month_past: "La fecha de caducidad de tu tarjeta ya pasó.",
      invalid_expiry_year_past: "El año de caducidad de tu tarjeta ya pasó.",
      invalid_expiry_year: "El año de caducidad de tu tarjeta no es válido.",
      incomplete_cvc: "El código de seguridad de tu tarjeta está incompleto.",
      incomplete_zip: "Tu código postal está incompleto.",
      card_declined: "Tu tarjeta fue rechazada.",
      insufficient_funds: "Tu tarjeta no tiene fondos suficientes.",
      expired_card: "Tu tarjeta ha caducado.",
      incorrect_cvc: "El código de seguridad de tu tarjeta es incorrecto.",
      incorrect_number: "El número de tu tarjeta es incorrecto.",
      processing_error: "Hubo un error al procesar tu tarjeta. Vuelve a intentarlo en un momento.",
      payment_intent_authentication_failure:
        "No podemos autenticar tu método de pago. Elige otro método de pago y vuelve a intentarlo.",
      api_connection_error:
        "Tenemos problemas para conectar con nuestro proveedor de pagos. Vuelve a intentarlo.",
    },
  },
  pt: {
    number: "Número do cartão",
    expiry: "Data de validade",
    expiryHint: "MM / AA",
    cvc: "Código de segurança",
    country: "País",
    postalCode: "CEP",
    zip: "Código postal (ZIP)",
    frame: "Quadro seguro de entrada do pagamento",
    newCard: "Novo cartão",
    remove: "Remover",
    save: "Salvar os dados de pagamento para compras futuras",
    mandate:
      "Ao informar os dados do seu cartão, você permite que a loja faça cobranças nele em pagamentos futuros conforme os termos dela.",
    errors: {
      incomplete_number: "O número do seu cartão está incompleto.",
      invalid_number: "O número do seu cartão é inválido.",
      incomplete_expiry: "A data de validade do seu cartão está incompleta.",
      invalid_expiry_month: "A data de validade do seu cartão é inválida.",
      invalid_expiry_month_past: "A data de validade do seu cartão está no passado.",
      invalid_expiry_year_past: "O ano de validade do seu cartão está no passado.",
      invalid_expiry_year: "O ano de validade do seu cartão é inválido.",
      incomplete_cvc: "O código de segurança do seu cartão está incompleto.",
      incomplete_zip: "Seu código postal está incompleto.",
      card_declined: "Seu cartão foi recusado.",
      insufficient_funds: "Seu cartão não tem saldo suficiente.",
      expired_card: "Seu cartão expirou.",
      incorrect_cvc: "O código de segurança do seu cartão está incorreto.",
      incorrect_number: "O número do seu cartão está incorreto.",
      processing_error: "Ocorreu um erro ao processar seu cartão. Tente de novo daqui a pouco.",
      payment_intent_authentication_failure:
        "Não conseguimos autenticar sua forma de pagamento. Escolha outra forma de pagamento e tente de novo.",
      api_connection_error:
        "Estamos com problemas para conectar ao nosso provedor de pagamentos. Tente de novo.",
    },
  },
};
