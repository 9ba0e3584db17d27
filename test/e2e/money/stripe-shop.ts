import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { loadStripe, type StripeElementLocale } from "@stripe/stripe-js";
import { StrictMode, createElement, useState, type FormEvent } from "react";
import { createRoot } from "react-dom/client";

const asked = new URLSearchParams(location.search);
const dark = asked.get("theme") === "night";

/** A minimal shop: Stripe's own loader and components, a button and a result. */
function Checkout() {
  const stripe = useStripe();
  const elements = useElements();
  const [message, setMessage] = useState(asked.get("redirect_status") ?? "");
  const [ready, setReady] = useState(false);
  async function pay(event: FormEvent) {
    event.preventDefault();
    if (!stripe || !elements) return;
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      redirect: "if_required",
      confirmParams: { return_url: location.href },
    });
    setMessage(
      error
        ? `${error.type} ${error.decline_code ?? error.code ?? ""}: ${error.message ?? ""}`
        : paymentIntent.status,
    );
  }
  return createElement(
    "form",
    { onSubmit: pay },
    createElement(PaymentElement, {
      onReady: () => setReady(true),
      onLoadError: ({ error }) => setMessage(`not loaded: ${error.message ?? ""}`),
    }),
    createElement("button", { disabled: !ready }, "Pay"),
    createElement("p", { role: "status" }, message),
  );
}

document.documentElement.style.colorScheme = dark ? "dark" : "light";
createRoot(document.getElementById("root") ?? document.body).render(
  createElement(
    StrictMode,
    null,
    createElement(
      Elements,
      {
        stripe: loadStripe("pk_test_sandbox"),
        options: {
          clientSecret: asked.get("secret") ?? "",
          locale: (asked.get("locale") ?? "en") as StripeElementLocale,
          appearance: {
            theme: dark ? "night" : "stripe",
            variables: { borderRadius: "10px", ...(dark ? { colorBackground: "#1b1e22" } : {}) },
          },
        },
      },
      createElement(Checkout),
    ),
  ),
);
