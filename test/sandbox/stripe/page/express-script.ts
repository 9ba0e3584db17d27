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

class ExpressElement extends FramedElement {
  elementType = "expressCheckout";
  type = "expressCheckout";
  frameTitle = "Secure express checkout frame";
  framePath = "/wallets";
  #closeSheet = null;
  /** The card that the buyer authorized in the sheet; null before and after. */
  #card = null;
  get isAuthorized() { return this.#card !== null; }
  setup(ground) {
    const { key, language, appearance } = this.elements;
    const { paymentMethods = {}, buttonHeight = 44 } = this.options;
    return { key, language, dark: appearance.theme === "night", ground, buttonHeight, never: Object.keys(paymentMethods).filter((name) => paymentMethods[name] === "never") };
  }
  hear(data) {
    if (data.ready) {
      const shown = Object.fromEntries(["amazonPay", "applePay", "googlePay", "link", "paypal", "klarna"].map((name) => [name, data.ready.includes(name)]));
      this.tell("ready", { availablePaymentMethods: data.ready.length > 0 ? shown : undefined });
    } else if (data.click) this.#click(data.click);
  }
  #click(expressPaymentType) {
    let isAnswered = false;
    const once = (answer) => (details) => { if (!isAnswered) { isAnswered = true; answer(details); } };
    const open = ({ lineItems = [] } = {}) => {
      const { amount, currency } = this.elements;
      const sum = lineItems.reduce((total, line) => total + line.amount, 0);
      if (sum > amount) throw new IntegrationError("The amount " + amount + " is less than the total amount of the line items provided.");
      const money = (cents) => new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
      const lines = [...lineItems.map((line) => [line.name, money(line.amount)]), ["Total", money(amount)]];
      this.#closeSheet = showSheet(NAMES[expressPaymentType], lines, (card) => this.#answer(expressPaymentType, card));
    };
    this.tell("click", { expressPaymentType, resolve: once(open), reject: once(() => {}) });
    setTimeout(once(() => console.error("[Stripe.js] The click event of the Express Checkout Element was neither resolved nor rejected within a second.")), CLICK_MS);
  }
  #answer(expressPaymentType, card) {
    if (card === null) {
      this.endSheet();
      this.tell("cancel", {});
      return;
    }
    if (this.#card !== null) return;
    this.#card = card;
    const billingDetails = { name: "Ana Driver", address: { line1: "1 Main St", line2: null, city: "Melville", state: "NY", postal_code: "11747", country: "US" } };
    this.tell("confirm", { expressPaymentType, billingDetails, paymentFailed: () => this.endSheet() });
  }
  /** The payment is decided, or given up. */
  endSheet() {
    if (this.#closeSheet) this.#closeSheet();
    this.#closeSheet = null;
    this.#card = null;
  }
  /** Confirms the intent with the card of the sheet. */
  confirm({ secret, confirmParams }) { return this.request("confirm", { secret, confirmParams, card: this.#card }); }
  blur() {}
  clear() {}
  unmount() {
    this.endSheet();
    return super.unmount();
  }
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
