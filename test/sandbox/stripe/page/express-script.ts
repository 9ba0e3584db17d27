import { BROWSER_CALL_SCRIPT } from "./browser-call-script.ts";

/**
 * The part of stripe.js that plays the Express Checkout Element: buttons in a frame of their own, and a wallet's sheet
 * over the page. Apple Pay shows in Safari and Google Pay in other browsers, as on devices that have a card.
 */
export const EXPRESS_SCRIPT = String.raw`
/** Shows the wallet's sheet until it is closed. Its answers go to hear: a card, or null where the buyer closes it. */
function showSheet(wallet, lines, hear) {
  const before = document.activeElement;
  const cover = document.createElement("div");
  cover.setAttribute("role", "dialog");
  cover.setAttribute("aria-modal", "true");
  cover.setAttribute("aria-label", wallet);
  cover.style.cssText = "position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.6);display:grid;place-items:end center";
  const frame = document.createElement("iframe");
  frame.title = wallet;
  frame.src = BASE + "/wallet-sheet?" + new URLSearchParams({ wallet, lines: JSON.stringify(lines) });
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "border:0;border-radius:16px 16px 0 0;background:#fff;width:min(100%,420px);height:min(100%,420px)";
  cover.append(frame);
  document.body.append(cover);
  frame.focus();
  const heard = (event) => { if (event.source === frame.contentWindow && event.data && "wallet" in event.data) hear(event.data.wallet); };
  addEventListener("message", heard);
  return () => {
    removeEventListener("message", heard);
    cover.remove();
    if (before instanceof HTMLElement) before.focus();
  };
}

const NAMES = { google_pay: "Google Pay", apple_pay: "Apple Pay" };
const KEYS = { google_pay: "googlePay", apple_pay: "applePay" };
const CLICK_MS = 1000;

class ExpressElement {
  type = "expressCheckout";
  #elements; #options; #frame = null; #port = null; #hearers = new Map(); #asked = new Map(); #count = 0; #closeSheet = null;
  /** The card that the buyer authorized in the sheet; null before and after. */
  #card = null;
  constructor(elements, options) { this.#elements = elements; this.#options = options || {}; }
  get isMounted() { return this.#frame !== null; }
  get isAuthorized() { return this.#card !== null; }
  mount(target) {
    const place = typeof target === "string" ? document.querySelector(target) : target;
    if (!place) throw new IntegrationError("The selector you specified (" + target + ") applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().");
    this.unmount();
    place.replaceChildren();
    place.classList.add("StripeElement");
    const frame = document.createElement("iframe");
    frame.title = "Secure express checkout frame";
    frame.src = BASE + "/wallets";
    frame.name = "__privateStripeFrame";
    frame.setAttribute("sandbox", "allow-scripts allow-forms");
    frame.style.cssText = "border:0;margin:-4px;padding:0;width:calc(100% + 8px);height:1px;display:block;overflow:hidden;background:transparent";
    frame.addEventListener("load", () => {
      const { port1, port2 } = new MessageChannel();
      this.#port = port1;
      port1.onmessage = ({ data }) => this.#hear(data);
      frame.contentWindow.postMessage(this.#setup(), "*", [port2]);
    });
    this.#frame = frame;
    place.append(frame);
    return this;
  }
  #setup() {
    const { key, language, appearance } = this.#elements;
    const { paymentMethods = {}, buttonHeight = 44 } = this.#options;
    this.#frame.style.colorScheme = appearance.theme === "night" ? "dark" : "light";
    return { key, language, dark: appearance.theme === "night", ground: groundOf(this.#frame), buttonHeight, never: Object.keys(paymentMethods).filter((name) => paymentMethods[name] === "never") };
  }
  #hear(data) {
    if (data.answerTo !== undefined) {
      const answered = this.#asked.get(data.answerTo);
      this.#asked.delete(data.answerTo);
      if (answered) answered(data.answer);
    } else if (data.height !== undefined) {
      if (this.#frame) this.#frame.style.height = data.height + "px";
    } else if (data.ready) {
      const shown = Object.fromEntries(["amazonPay", "applePay", "googlePay", "link", "paypal", "klarna"].map((name) => [name, data.ready.includes(name)]));
      this.#tell("ready", { availablePaymentMethods: data.ready.length > 0 ? shown : undefined });
    } else if (data.click) this.#click(data.click);
  }
  #click(expressPaymentType) {
    let isAnswered = false;
    const once = (answer) => (details) => { if (!isAnswered) { isAnswered = true; answer(details); } };
    const open = ({ lineItems = [] } = {}) => {
      const { amount, currency } = this.#elements;
      const sum = lineItems.reduce((total, line) => total + line.amount, 0);
      if (sum > amount) throw new IntegrationError("The amount " + amount + " is less than the total amount of the line items provided.");
      const money = (cents) => new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
      const lines = [...lineItems.map((line) => [line.name, money(line.amount)]), ["Total", money(amount)]];
      this.#closeSheet = showSheet(NAMES[expressPaymentType], lines, (card) => this.#answer(expressPaymentType, card));
    };
    this.#tell("click", { expressPaymentType, resolve: once(open), reject: once(() => {}) });
    setTimeout(once(() => console.error("[Stripe.js] The click event of the Express Checkout Element was neither resolved nor rejected within a second.")), CLICK_MS);
  }
  #answer(expressPaymentType, card) {
    if (card === null) {
      this.endSheet();
      this.#tell("cancel", {});
      return;
    }
    if (this.#card !== null) return;
    this.#card = card;
    const billingDetails = { name: "Ana Driver", address: { line1: "1 Main St", line2: null, city: "Melville", state: "NY", postal_code: "11747", country: "US" } };
    this.#tell("confirm", { expressPaymentType, billingDetails, paymentFailed: () => this.endSheet() });
  }
  /** The payment is decided, or given up. */
  endSheet() {
    if (this.#closeSheet) this.#closeSheet();
    this.#closeSheet = null;
    this.#card = null;
  }
  #tell(name, event) {
    for (const hearer of [...(this.#hearers.get(name) || [])]) hearer({ elementType: "expressCheckout", ...event });
  }
  /** Confirms the intent with the card of the sheet. */
  confirm({ secret, confirmParams }) {
    const number = ++this.#count;
    return new Promise((resolve) => {
      this.#asked.set(number, resolve);
      this.#port.postMessage({ deed: "confirm", number, given: { secret, confirmParams, card: this.#card } });
    });
  }
  resetup() { if (this.#port) this.#port.postMessage({ deed: "setup", given: this.#setup() }); }
  update(options) { Object.assign(this.#options, options); this.resetup(); return this; }
  on(name, hearer) {
    if (!this.#hearers.has(name)) this.#hearers.set(name, new Set());
    this.#hearers.get(name).add(hearer);
    return this;
  }
  once(name, hearer) {
    const once = (event) => { this.off(name, once); hearer(event); };
    return this.on(name, once);
  }
  off(name, hearer) {
    if (hearer === undefined) this.#hearers.delete(name);
    else if (this.#hearers.has(name)) this.#hearers.get(name).delete(hearer);
    return this;
  }
  focus() { if (this.#frame) this.#frame.focus(); }
  blur() {}
  clear() {}
  unmount() {
    this.endSheet();
    if (this.#port) this.#port.close();
    if (this.#frame) { if (this.#frame.parentElement) this.#frame.parentElement.classList.remove("StripeElement"); this.#frame.remove(); }
    this.#frame = null;
    this.#port = null;
    return this;
  }
  destroy() { this.unmount(); this.#hearers.clear(); this.#elements.forget(this); }
}
`;

/** The script of the frame with the wallets' buttons: it holds no card, and calls Stripe itself. */
export const WALLETS_SCRIPT = String.raw`"use strict";
${BROWSER_CALL_SCRIPT}
const isSafari = /^((?!chrome|android).)*safari/i.test(navigator.userAgent);
const offered = document.body.dataset.on === "true" ? [isSafari ? "apple_pay" : "google_pay"] : [];
const NAMES = { google_pay: "Google Pay", apple_pay: "Apple Pay" };
const KEYS = { google_pay: "googlePay", apple_pay: "applePay" };
let port = null;
let setup = null;

function dress(given) {
  setup = given;
  document.documentElement.lang = given.language;
  document.documentElement.style.colorScheme = given.dark ? "dark" : "light";
  document.documentElement.style.background = given.ground;
  const shown = offered.filter((wallet) => !given.never.includes(KEYS[wallet]));
  document.getElementById("wallets").replaceChildren(...shown.map((wallet) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: NAMES[wallet] });
    button.style.height = given.buttonHeight + "px";
    button.className = given.dark ? "light" : "dark";
    button.addEventListener("click", () => port.postMessage({ click: wallet }));
    return button;
  }));
  port.postMessage({ height: shown.length > 0 ? given.buttonHeight + 8 : 1 });
  return shown.map((wallet) => KEYS[wallet]);
}

const DEEDS = {
  setup: dress,
  confirm: ({ secret, confirmParams, card }) =>
    call(addressOf(secret) + "/confirm", "POST", {
      key: setup.key, client_secret: secret, use_stripe_sdk: "true",
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": card,
      "payment_method_data[card][cvc]": "123",
      "payment_method_data[card][exp_month]": "12",
      "payment_method_data[card][exp_year]": "2039",
      "payment_method_data[billing_details][name]": "Ana Driver",
      "payment_method_data[billing_details][address][country]": "US",
      "payment_method_data[billing_details][address][postal_code]": "11747",
      ...(confirmParams.return_url ? { return_url: confirmParams.return_url } : {}),
    }),
};

addEventListener("message", (event) => {
  if (port || event.source !== parent || !event.ports[0]) return;
  port = event.ports[0];
  port.onmessage = async ({ data: { deed, number, given } }) => {
    const answer = await DEEDS[deed](given);
    if (number !== undefined) port.postMessage({ answerTo: number, answer });
  };
  port.postMessage({ ready: dress(event.data) });
});
`;
