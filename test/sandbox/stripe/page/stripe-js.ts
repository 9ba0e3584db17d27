import { EXPRESS_SCRIPT } from "./express-script.ts";
import { FRAMED_ELEMENT_SCRIPT } from "./framed-element-script.ts";
import { WORDS } from "./words.ts";

/** The release of stripe.js that @stripe/stripe-js expects. */
const RELEASE = "endive";

/**
 * The part of stripe.js that payments with the Payment Element and the Express Checkout Element need. The card number
 * stays in the frame, which has its own origin; the page only learns whether the fields are complete.
 */
export const STRIPE_JS = `"use strict";
(() => {
const WORDS = ${JSON.stringify(WORDS)};
const RELEASE = ${JSON.stringify(RELEASE)};
${String.raw`
const BASE = "/sandbox/stripe";
const LOCALES = /^(en|en-(AU|CA|NZ|GB)|es|es-(ES|419)|pt|pt-BR|auto)$/;
const COLOR = /^(#[0-9a-f]{3,8}|rgba?\(.*\)|hsla?\(.*\)|[a-z]+)$/i;

class IntegrationError extends Error {
  constructor(message) { super(message); this.name = "IntegrationError"; }
}

function languageOf(locale) {
  if (locale !== undefined && !LOCALES.test(locale))
    console.warn("[Stripe.js] '" + locale + "' is not a supported locale (or is none that the sandbox plays); English stands in for it.");
  const wanted = locale === undefined || locale === "auto" ? navigator.language : LOCALES.test(locale) ? locale : "en";
  const language = wanted.slice(0, 2);
  return language in WORDS ? language : "en";
}

function checkAppearance(appearance) {
  for (const [name, value] of Object.entries((appearance && appearance.variables) || {}))
    if (/^color|Color/.test(name) && !COLOR.test(String(value)))
      console.warn("[Stripe.js] appearance.variables." + name + " is no color that Stripe reads: '" + value + "'. It takes hex, rgb(), hsl() and names.");
}

function checkWallets(options) {
  for (const [name, value] of Object.entries((options && options.wallets) || {}))
    if (value !== "auto" && value !== "never")
      throw new IntegrationError("Invalid value for elements.create('payment'): wallets." + name + " should be one of the following strings: auto, never. You specified: " + value + ".");
}

const idOf = (secret) => {
  if (typeof secret !== "string" || !secret.includes("_secret_"))
    throw new IntegrationError("Invalid value for clientSecret: it should be a client secret of the form <id>_secret_<secret>.");
  return secret.split("_secret_")[0];
};

function localized(error, language) {
  const words = WORDS[language].errors;
  const message = words[error.decline_code] || words[error.code] || words[error.type] || error.message;
  return { ...error, message };
}

async function ask(path, params) {
  let answer;
  try { answer = await fetch(BASE + path + "?" + new URLSearchParams(params)); }
  catch { return { error: { type: "api_connection_error" } }; }
  try {
    const read = await answer.json();
    return read.error ? { error: read.error } : { intent: read };
  } catch { return { error: { type: "api_error", message: "An unexpected error occurred." } }; }
}

/**
 * The background behind a node. The frame is painted with it, because tools can't measure contrast through a
 * transparent frame.
 */
function groundOf(node) {
  for (let place = node.parentElement; place; place = place.parentElement) {
    const color = getComputedStyle(place).backgroundColor;
    if (color !== "transparent" && !/[,/] ?0(\.0+)?%?\)$/.test(color)) return color;
  }
  return "transparent";
}

/** Shows the bank's challenge over the page until it is completed. */
function showBank(url, title) {
  const before = document.activeElement;
  const cover = document.createElement("div");
  cover.setAttribute("role", "dialog");
  cover.setAttribute("aria-modal", "true");
  cover.setAttribute("aria-label", title);
  cover.style.cssText = "position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.6);display:grid;place-items:center;padding:16px";
  const frame = document.createElement("iframe");
  frame.title = title;
  frame.src = url;
  frame.setAttribute("sandbox", "allow-scripts allow-forms");
  frame.style.cssText = "border:0;border-radius:8px;background:#fff;width:min(100%,420px);height:min(100%,360px)";
  cover.append(frame);
  document.body.append(cover);
  frame.focus();
  return new Promise((resolve) => {
    const hear = (event) => {
      if (event.source !== frame.contentWindow || !event.data || event.data.bank !== "answered") return;
      removeEventListener("message", hear);
      cover.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve();
    };
    addEventListener("message", hear);
  });
}

${FRAMED_ELEMENT_SCRIPT}
class Element extends FramedElement {
  elementType = "payment";
  framePath = "/element";
  #ready; #open;
  constructor(elements, options) {
    super(elements, options);
    this.#ready = new Promise((resolve) => { this.#open = resolve; });
  }
  get frameTitle() { return WORDS[this.elements.language].frame; }
  setup(ground) {
    const { language, key, secret, session, usage, appearance, fonts } = this.elements;
    return { language, key, secret, session, usage, appearance, fonts, ground, options: JSON.parse(JSON.stringify(this.options)) };
  }
  hear(data) {
    if (data.tell === "ready") this.#open();
    const error = data.error ? { error: localized(data.error, this.elements.language) } : {};
    this.tell(data.tell, { ...data.detail, ...error });
  }
  /** Sends a request to the frame. Requests sent before the frame is ready are answered once it is. */
  async ask(deed, given) {
    await this.#ready;
    if (!this.isLoaded) throw new IntegrationError("We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.");
    return this.request(deed, given);
  }
  focus() { if (this.isLoaded) { super.focus(); this.post({ deed: "focus" }); } }
  blur() { this.post({ deed: "blur" }); }
  clear() { this.post({ deed: "clear" }); }
  collapse() { return this; }
}

${EXPRESS_SCRIPT}
class Elements {
  #element = null;
  constructor(key, options) {
    this.key = key;
    this.language = languageOf(options.locale);
    this.secret = options.clientSecret === undefined ? null : options.clientSecret;
    if (this.secret !== null) idOf(this.secret);
    else if (options.mode === undefined)
      throw new IntegrationError("In order to create a payment element, you must pass a clientSecret or mode when creating the Elements group.");
    this.appearance = options.appearance || {};
    checkAppearance(this.appearance);
    this.fonts = options.fonts || [];
    this.session = options.customerSessionClientSecret || null;
    this.usage = options.setupFutureUsage || null;
    this.submitted = false;
    this.amount = options.amount;
    this.currency = options.currency;
  }
  create(type, options) {
    if (type !== "payment" && type !== "expressCheckout") throw new IntegrationError("The sandbox plays the Payment and the Express Checkout Element only, not '" + type + "'.");
    if (this.#element) throw new IntegrationError("The sandbox plays one Element in a group: give the other its own.");
    if (type === "expressCheckout" && this.amount === undefined) throw new IntegrationError("The sandbox plays the Express Checkout Element with a mode and an amount only.");
    if (type === "payment") checkWallets(options);
    return (this.#element = type === "payment" ? new Element(this, options) : new ExpressElement(this, options));
  }
  getElement(type) {
    const name = typeof type === "function" ? type.__elementType : type;
    return name === this.type ? this.#element : null;
  }
  get type() { return this.#element instanceof ExpressElement ? "expressCheckout" : "payment"; }
  forget(element) { if (this.#element === element) this.#element = null; }
  async update(options) {
    if (options.locale !== undefined) this.language = languageOf(options.locale);
    if (options.appearance !== undefined) { checkAppearance(options.appearance); this.appearance = options.appearance; }
    if (options.amount !== undefined) this.amount = options.amount;
    if (options.currency !== undefined) this.currency = options.currency;
    if (options.setupFutureUsage !== undefined) this.usage = options.setupFutureUsage;
    if (this.#element) this.#element.resetup();
  }
  async fetchUpdates() {
    if (this.#element) this.#element.resetup();
    return {};
  }
  async submit() {
    if (!this.#element || !this.#element.isMounted)
      throw new IntegrationError("elements should have a mounted Payment Element or Express Checkout Element.");
    if (this.type === "expressCheckout") {
      if (!this.#element.isAuthorized) throw new IntegrationError("elements.submit() with an Express Checkout Element belongs into its confirm event.");
      this.submitted = true;
      return {};
    }
    const { error } = await this.#element.ask("validate");
    if (error) return { error: localized(error, this.language) };
    this.submitted = true;
    return { selectedPaymentMethod: "card" };
  }
}

function Stripe(key, settings = {}) {
  if (typeof key !== "string" || !key.startsWith("pk_"))
    throw new IntegrationError("Please call Stripe() with your publishable key. You used " + (key === "" ? "an empty string" : "something else") + ".");
  let language = languageOf(settings.locale);

  async function retrieve(secret) {
    return ask("/v1/payment_intents/" + idOf(secret), { key, client_secret: secret });
  }
  const gone = () => new Promise(() => {});

  /** Handles the intent's next action, if any, and resolves with the result. */
  async function follow(given) {
    let intent = given;
    const next = intent.next_action;
    if (next && next.type === "redirect_to_url") { location.assign(next.redirect_to_url.url); return gone(); }
    if (next && next.type === "use_stripe_sdk") {
      const { pathname, search } = new URL(next.use_stripe_sdk.stripe_js);
      await showBank(pathname + search, "3D Secure");
      const answer = await retrieve(intent.client_secret);
      if (answer.error) return { error: localized(answer.error, language) };
      intent = answer.intent;
      if (intent.status === "requires_payment_method" && intent.last_payment_error)
        return { error: localized({ ...intent.last_payment_error, payment_intent: intent }, language) };
    }
    return { paymentIntent: intent };
  }

  /** The outcome, or the way back to the page that was named for it. */
  function finish(ended, { secret, confirmParams, redirect }) {
    if (ended.error || redirect === "if_required") return ended;
    const url = new URL(confirmParams.return_url, location.href);
    url.searchParams.set("payment_intent", ended.paymentIntent.id);
    url.searchParams.set("payment_intent_client_secret", secret);
    url.searchParams.set("redirect_status", ended.paymentIntent.status === "succeeded" ? "succeeded" : ended.paymentIntent.status);
    location.assign(url.href);
    return gone();
  }

  /** Confirms with a method that the customer kept: there are no fields. */
  async function confirmKept({ clientSecret, confirmParams, redirect }) {
    const params = { key, client_secret: clientSecret, use_stripe_sdk: "true", payment_method: confirmParams.payment_method };
    if (confirmParams.return_url) params.return_url = confirmParams.return_url;
    let read;
    try { read = await (await fetch(BASE + "/v1/payment_intents/" + idOf(clientSecret) + "/confirm", { method: "POST", body: new URLSearchParams(params) })).json(); }
    catch { return { error: localized({ type: "api_connection_error" }, language) }; }
    if (read.error) return { error: localized(read.error, language) };
    return finish(await follow(read), { secret: clientSecret, confirmParams, redirect });
  }

  const unplayed = (name) => () =>
    Promise.reject(new IntegrationError("stripe." + name + "() is not played by the sandbox: use confirmPayment()."));

  return {
    elements(options = {}) {
      const locale = options.locale === undefined ? settings.locale : options.locale;
      const group = new Elements(key, locale === undefined ? options : { ...options, locale });
      language = group.language;
      return group;
    },
    async confirmPayment({ elements, clientSecret, confirmParams = {}, redirect = "always" } = {}) {
      if (redirect === "always" && !confirmParams.return_url)
        throw new IntegrationError('stripe.confirmPayment(): the "confirmParams.return_url" argument is required unless passing redirect: "if_required".');
      if (!elements && confirmParams.payment_method && clientSecret) return confirmKept({ clientSecret, confirmParams, redirect });
      if (!elements) throw new IntegrationError("Please provide elements to stripe.confirmPayment().");
      const element = elements.getElement(elements.type);
      if (!element || !element.isMounted)
        throw new IntegrationError("Invalid value for stripe.confirmPayment(): elements should have a mounted Payment Element or Express Checkout Element.");
      const secret = clientSecret || elements.secret;
      if (!secret) throw new IntegrationError("Missing value for stripe.confirmPayment(): a clientSecret is needed.");
      if (elements.secret === null && !elements.submitted)
        throw new IntegrationError("elements.submit() must be called before stripe.confirmPayment().");
      elements.submitted = false;
      language = elements.language;
      idOf(secret);
      const given = { secret, confirmParams: JSON.parse(JSON.stringify(confirmParams)) };
      const answer = await (elements.type === "payment" ? element.ask("confirm", given) : element.confirm(given));
      if (elements.type === "expressCheckout" && answer.intent) element.endSheet();
      if (answer.error) return { error: localized(answer.error, language) };
      return finish(await follow(answer.intent), { secret, confirmParams, redirect });
    },
    async retrievePaymentIntent(clientSecret) {
      const { error, intent } = await retrieve(clientSecret);
      return error ? { error: localized(error, language) } : { paymentIntent: intent };
    },
    async handleNextAction({ clientSecret }) {
      const { error, intent } = await retrieve(clientSecret);
      return error ? { error: localized(error, language) } : follow(intent);
    },
    createToken: unplayed("createToken"),
    createPaymentMethod: unplayed("createPaymentMethod"),
    createConfirmationToken: unplayed("createConfirmationToken"),
    confirmCardPayment: unplayed("confirmCardPayment"),
    registerAppInfo() {},
    _registerWrapper() {},
  };
}
Stripe.version = RELEASE;
window.Stripe = Stripe;
})();
`}`;
