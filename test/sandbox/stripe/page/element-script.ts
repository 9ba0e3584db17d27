import { BROWSER_CALL_SCRIPT } from "./browser-call-script.ts";
import { SAVED_CARDS_SCRIPT } from "./saved-cards-script.ts";
import { WORDS } from "./words.ts";

/** The script of the card's frame: it holds the card number and calls Stripe itself. */
export const ELEMENT_SCRIPT = `"use strict";
const WORDS = ${JSON.stringify(WORDS)};
${String.raw`
const COUNTRIES = "AR AU AT BE BO BR CA CL CO CR CZ DK DO EC SV FI FR DE GR GT HN HK HU IN IE IL IT JP MX NL NZ NI NO PA PY PE PH PL PT PR RO SG ZA KR ES SE CH TW TH TR GB US UY VE".split(" ");
const WITH_POSTAL_CODE = { US: /^\d{5}(-?\d{4})?$/, PR: /^\d{5}(-?\d{4})?$/, CA: /^[a-z]\d[a-z] ?\d[a-z]\d$/i, GB: /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i };
const BRANDS = [["amex", /^3[47]/, 15, 4], ["mastercard", /^(5[1-5]|2[2-7])/, 16, 3], ["discover", /^6(011|5)/, 16, 3], ["visa", /^4/, 16, 3]];
const THEMES = {
  stripe: { colorPrimary: "#0570de", colorBackground: "#ffffff", colorText: "#30313d", colorTextSecondary: "#6d6e78", colorTextPlaceholder: "#757680", colorDanger: "#df1b41" },
  night: { colorPrimary: "#85d996", colorBackground: "#30313d", colorText: "#ffffff", colorTextSecondary: "#c9ced8", colorTextPlaceholder: "#a9abb8", colorDanger: "#fe87a1" },
  flat: { colorPrimary: "#0570de", colorBackground: "#f1f1f1", colorText: "#30313d", colorTextSecondary: "#5c5d67", colorTextPlaceholder: "#6b6c76", colorDanger: "#c9173a" },
};
const METRICS = { fontFamily: "system-ui, sans-serif", fontSizeBase: "16px", fontSizeSm: "0.93rem", fontWeightNormal: "400", spacingUnit: "4px", borderRadius: "5px" };
const at = (id) => document.getElementById(id);
const inputs = { number: at("number"), expiry: at("expiry"), cvc: at("cvc"), country: at("country"), postalCode: at("postalCode") };
const touched = new Set();
let port = null;
let setup = null;
let asked = { address: true };
let told = "";

const digitsOf = (text) => text.replace(/\D/g, "");
const brandOf = (number) => BRANDS.find(([, pattern]) => pattern.test(number)) || ["unknown", /./, 16, 3];
function fits(number) {
  let sum = 0;
  [...number].reverse().forEach((digit, index) => { const counted = index % 2 ? digit * 2 : Number(digit); sum += counted > 9 ? counted - 9 : counted; });
  return sum % 10 === 0;
}

const CHECKS = {
  number() {
    const number = digitsOf(inputs.number.value);
    if (number.length < brandOf(number)[2]) return "incomplete_number";
    return fits(number) ? null : "invalid_number";
  },
  expiry() {
    const digits = digitsOf(inputs.expiry.value);
    if (digits.length < 4) return "incomplete_expiry";
    const month = Number(digits.slice(0, 2)), year = 2000 + Number(digits.slice(2));
    const now = new Date();
    if (month < 1 || month > 12) return "invalid_expiry_month";
    if (year < now.getFullYear()) return "invalid_expiry_year_past";
    if (year === now.getFullYear() && month <= now.getMonth()) return "invalid_expiry_month_past";
    return year > now.getFullYear() + 50 ? "invalid_expiry_year" : null;
  },
  cvc() {
    return digitsOf(inputs.cvc.value).length < brandOf(digitsOf(inputs.number.value))[3] ? "incomplete_cvc" : null;
  },
  country() { return null; },
  postalCode() {
    const pattern = asked.address && WITH_POSTAL_CODE[inputs.country.value];
    return pattern && !pattern.test(inputs.postalCode.value.trim()) ? "incomplete_zip" : null;
  },
};
const faultOf = (name) => CHECKS[name]();
const firstFault = () => Object.keys(CHECKS).map(faultOf).find(Boolean) || null;

function show(name, code) {
  const input = inputs[name];
  const line = at(name + "-error");
  const words = code ? WORDS[setup.language].errors[code] : "";
  if (line.textContent !== words) line.textContent = words;
  input.classList.toggle("Input--invalid", Boolean(code));
  input.setAttribute("aria-invalid", String(Boolean(code)));
  fit();
}
function fit() { if (port) port.postMessage({ height: Math.ceil(document.body.getBoundingClientRect().height) }); }
const tell = (name, detail, error) => port && port.postMessage({ tell: name, detail, error });

function change() {
  const empty = !inputs.number.value && !inputs.expiry.value && !inputs.cvc.value;
  const detail = { complete: wanted() !== null || firstFault() === null, empty: empty && wanted() === null, collapsed: false, value: { type: "card", ...(wanted() === null ? {} : { payment_method: { id: wanted(), type: "card" } }) } };
  const mark = JSON.stringify(detail);
  if (mark === told) return;
  told = mark;
  tell("change", detail);
}

function grouped(number) {
  const sizes = brandOf(number)[0] === "amex" ? [4, 6, 5] : [4, 4, 4, 4];
  const parts = [];
  let from = 0;
  for (const size of sizes) { if (from < number.length) parts.push(number.slice(from, from + size)); from += size; }
  return parts.join(" ");
}
const FORMATS = {
  number: (text) => { const number = digitsOf(text); return grouped(number.slice(0, brandOf(number)[2])); },
  expiry: (text, before) => {
    let digits = digitsOf(text).slice(0, 4);
    if (/^[2-9]/.test(digits)) digits = ("0" + digits).slice(0, 4);
    const erasing = text.length < before.length;
    if (digits.length < 2 || (digits.length === 2 && erasing)) return digits;
    return digits.slice(0, 2) + " / " + digits.slice(2);
  },
  cvc: (text) => digitsOf(text).slice(0, brandOf(digitsOf(inputs.number.value))[3]),
};
const before = {};
for (const [name, input] of Object.entries(inputs)) {
  input.addEventListener("input", () => {
    const format = FORMATS[name];
    const atEnd = input.selectionStart === input.value.length;
    if (format && (atEnd || name === "cvc")) input.value = format(input.value, before[name] || "");
    before[name] = input.value;
    if (name === "number") at("brand").textContent = input.value ? brandOf(digitsOf(input.value))[0].replace("unknown", "") : "";
    if (name === "country") placePostalCode();
    const code = faultOf(name);
    show(name, code && /^invalid/.test(code) ? code : touched.has(name) && code ? code : null);
    change();
  });
  input.addEventListener("focus", () => tell("focus"));
  input.addEventListener("blur", () => {
    tell("blur");
    if (!input.value) return;
    touched.add(name);
    show(name, faultOf(name));
  });
  input.addEventListener("keydown", (event) => { if (event.key === "Escape") tell("escape"); });
}

function placePostalCode() {
  const country = inputs.country.value;
  const words = WORDS[setup.language];
  at("postalCode-field").hidden = !asked.address || !(country in WITH_POSTAL_CODE);
  at("postalCode-label").textContent = country === "US" || country === "PR" ? words.zip : words.postalCode;
  inputs.postalCode.placeholder = country === "US" || country === "PR" ? "12345" : "";
  fit();
}

function dress(ground, { theme = "stripe", variables = {}, rules = {} } = {}, fonts = []) {
  const named = { ...METRICS, ...(THEMES[theme] || THEMES.stripe), ...variables };
  const kebab = (name) => name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
  const clean = (value) => String(value).replace(/[{};<]/g, "");
  const root = Object.entries(named).map(([name, value]) => "--" + name + ":" + clean(value)).join(";");
  const faces = fonts.filter((font) => font.family && font.src).map((font) => "@font-face{font-family:" + clean(font.family) + ";src:" + clean(font.src) + (font.weight ? ";font-weight:" + clean(font.weight) : "") + "}");
  const own = Object.entries(rules).filter(([selector]) => /^\.[\w-]+([:.]{1,2}[\w-]+)*( \.[\w-]+)?$/.test(selector))
    .map(([selector, style]) => selector + "{" + Object.entries(style).map(([name, value]) => kebab(name) + ":" + clean(value)).join(";") + "}");
  at("dress").textContent = faces.join("") + ":root{--ground:" + clean(ground) + ";" + root + "}" + own.join("");
  document.documentElement.style.colorScheme = theme === "night" ? "dark" : "light";
  for (const { cssSrc } of fonts) {
    if (!cssSrc || document.querySelector('link[href="' + CSS.escape(cssSrc) + '"]')) continue;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: cssSrc }));
  }
}

function word(language) {
  const words = WORDS[language];
  document.documentElement.lang = language;
  document.title = words.frame;
  for (const name of ["number", "expiry", "cvc", "country"]) at(name + "-label").textContent = words[name];
  inputs.expiry.placeholder = words.expiryHint;
  const chosen = inputs.country.value;
  const names = new Intl.DisplayNames([language], { type: "region" });
  const options = COUNTRIES.map((code) => [code, names.of(code)]).sort((one, other) => one[1].localeCompare(other[1], language));
  inputs.country.replaceChildren(...options.map(([value, text]) => Object.assign(document.createElement("option"), { value, textContent: text })));
  const given = (((setup.options.defaultValues || {}).billingDetails || {}).address || {});
  inputs.country.value = chosen || (COUNTRIES.includes(given.country) ? given.country : "US");
  if (!inputs.postalCode.value && given.postal_code) inputs.postalCode.value = given.postal_code;
}

function dressAll(given) {
  setup = given;
  const { address = "auto" } = (typeof (given.options.fields || {}).billingDetails === "object" ? given.options.fields.billingDetails : { address: (given.options.fields || {}).billingDetails }) || {};
  asked = { address: address !== "never" && !(typeof address === "object" && address.country === "never") };
  dress(given.ground, given.appearance, given.fonts);
  at("country-field").hidden = !asked.address;
  word(given.language);
  wordKept();
  at("mandate").hidden = given.usage !== "off_session";
  for (const input of Object.values(inputs)) input.disabled = Boolean(given.options.readOnly);
  for (const name of touched) show(name, faultOf(name));
  placePostalCode();
}

${BROWSER_CALL_SCRIPT}
${SAVED_CARDS_SCRIPT}
function validate() {
  if (wanted() !== null) return {};
  for (const name of Object.keys(inputs)) { touched.add(name); show(name, faultOf(name)); }
  const code = firstFault();
  if (!code) return {};
  const wrong = Object.keys(CHECKS).find(faultOf);
  inputs[wrong].focus();
  return { error: { type: "validation_error", code, message: WORDS[setup.language].errors[code] } };
}

const DEEDS = {
  setup: dressAll,
  validate,
  focus() { inputs.number.focus(); },
  blur() { if (document.activeElement) document.activeElement.blur(); },
  clear() {
    for (const name of ["number", "expiry", "cvc"]) { inputs[name].value = ""; touched.delete(name); show(name, null); }
    change();
  },
  async confirm({ secret, confirmParams }) {
    const invalid = validate();
    if (invalid.error) return invalid;
    const wrongUse = await usageFault(secret);
    if (wrongUse) return { error: wrongUse };
    const digits = digitsOf(inputs.expiry.value);
    const chosen = keptParams();
    const params = chosen.payment_method ? { key: setup.key, client_secret: secret, use_stripe_sdk: "true", ...chosen } : {
      key: setup.key, client_secret: secret, use_stripe_sdk: "true", ...chosen,
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": digitsOf(inputs.number.value),
      "payment_method_data[card][cvc]": inputs.cvc.value,
      "payment_method_data[card][exp_month]": String(Number(digits.slice(0, 2))),
      "payment_method_data[card][exp_year]": "20" + digits.slice(2),
    };
    const redisplay = (confirmParams.payment_method_data || {}).allow_redisplay;
    if (redisplay && !chosen.payment_method) params["payment_method_data[allow_redisplay]"] = redisplay;
    if (confirmParams.return_url) params.return_url = confirmParams.return_url;
    if (confirmParams.receipt_email) params.receipt_email = confirmParams.receipt_email;
    const given = ((confirmParams.payment_method_data || {}).billing_details) || {};
    const address = { ...(asked.address ? { country: inputs.country.value, ...(at("postalCode-field").hidden ? {} : { postal_code: inputs.postalCode.value.trim() }) } : {}), ...given.address };
    if (!chosen.payment_method) {
    for (const name of ["name", "email", "phone"]) if (given[name]) params["payment_method_data[billing_details][" + name + "]"] = given[name];
    for (const [name, value] of Object.entries(address)) if (value) params["payment_method_data[billing_details][address][" + name + "]"] = value;
    }
    for (const input of Object.values(inputs)) input.readOnly = true;
    const answer = await call(addressOf(secret) + "/confirm", "POST", params);
    for (const input of Object.values(inputs)) input.readOnly = false;
    if (answer.error && answer.error.type === "card_error") {
      const { code, decline_code: why } = answer.error;
      const name = code === "incorrect_cvc" ? "cvc" : code === "expired_card" ? "expiry" : "number";
      show(name, why in WORDS[setup.language].errors ? why : code);
    }
    return answer;
  },
};

addEventListener("message", async (event) => {
  if (port || event.source !== parent || !event.ports[0]) return;
  port = event.ports[0];
  port.onmessage = async ({ data: { deed, number, given } }) => {
    const answer = await DEEDS[deed](given);
    if (number !== undefined) port.postMessage({ answerTo: number, answer });
  };
  dressAll(event.data);
  tell("loaderstart");
  if (setup.secret) {
    const { error, intent } = await call(addressOf(setup.secret), "GET", { key: setup.key, client_secret: setup.secret });
    const ended = intent && (intent.status === "succeeded" || intent.status === "canceled");
    const wrong = error || (ended ? { type: "invalid_request_error", code: "payment_intent_unexpected_state", message: "The PaymentIntent is in a terminal state and cannot be used to initialize Elements." } : null);
    if (wrong) { tell("loaderror", {}, wrong); return; }
  }
  const refused = await openSession();
  if (refused) { tell("loaderror", {}, refused); return; }
  document.body.hidden = false;
  new ResizeObserver(fit).observe(document.body);
  fit();
  tell("ready");
  change();
});
`}`;
