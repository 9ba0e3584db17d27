/**
 * The part of stripe.js that both Elements share: a frame with its own origin, what it is told and asked, and who hears
 * of it.
 */
export const FRAMED_ELEMENT_SCRIPT = String.raw`
/**
 * An Element says what its frame is (elementType, frameTitle, framePath), what it is set up with, and what it makes of
 * messages.
 */
class FramedElement {
  #frame = null; #port = null; #hearers = new Map(); #asked = new Map(); #count = 0;
  constructor(elements, options) {
    this.elements = elements;
    this.options = options || {};
  }
  get isMounted() { return this.#frame !== null; }
  get isLoaded() { return this.#port !== null; }
  mount(target) {
    const place = typeof target === "string" ? document.querySelector(target) : target;
    if (!place) throw new IntegrationError("The selector you specified (" + target + ") applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().");
    this.unmount();
    place.replaceChildren();
    place.classList.add("StripeElement");
    const frame = document.createElement("iframe");
    frame.title = this.frameTitle;
    frame.src = BASE + this.framePath;
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
    this.#frame.style.colorScheme = this.elements.appearance.theme === "night" ? "dark" : "light";
    return this.setup(groundOf(this.#frame));
  }
  #hear(data) {
    if (data.answerTo !== undefined) {
      const answered = this.#asked.get(data.answerTo);
      this.#asked.delete(data.answerTo);
      if (answered) answered(data.answer);
    } else if (data.height !== undefined) {
      if (this.#frame) this.#frame.style.height = data.height + "px";
    } else this.hear(data);
  }
  tell(name, event) {
    for (const hearer of [...(this.#hearers.get(name) || [])]) hearer({ elementType: this.elementType, ...event });
  }
  post(message) { if (this.#port) this.#port.postMessage(message); }
  /** Sends a request to the frame, which is loaded. */
  request(deed, given) {
    const number = ++this.#count;
    return new Promise((resolve) => {
      this.#asked.set(number, resolve);
      this.#port.postMessage({ deed, number, given });
    });
  }
  resetup() { if (this.#port) this.#port.postMessage({ deed: "setup", given: this.#setup() }); }
  update(options) { Object.assign(this.options, options); this.resetup(); return this; }
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
  unmount() {
    if (this.#port) this.#port.close();
    if (this.#frame) { if (this.#frame.parentElement) this.#frame.parentElement.classList.remove("StripeElement"); this.#frame.remove(); }
    this.#frame = null;
    this.#port = null;
    return this;
  }
  destroy() { this.unmount(); this.#hearers.clear(); this.elements.forget(this); }
}
`;
